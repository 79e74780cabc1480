package import Inbox
package import JSON

/// New values for members of a person's notifications, such as `isFollowingBack`.
package struct NotificationPatch: Sendable, Hashable {
    package let user: UserID
    /// The name of the notification type.
    package let type: String
    /// Only notifications of what this person did; with neither this nor a key nothing is changed.
    package let actor: String?
    /// Only notifications of the events that came with this key, as their publisher named them.
    package let key: String?
    package let publisher: String
    /// What takes the place of the members of these names; those that are not there are added.
    package let fields: JSONObject
    package let now: Timestamp

    package init(
        user: UserID, type: String, actor: String?, key: String?, publisher: String, fields: JSONObject, now: Timestamp
    ) {
        self.user = user
        self.type = type
        self.actor = actor
        self.key = key
        self.publisher = publisher
        self.fields = fields
        self.now = now
    }
}
