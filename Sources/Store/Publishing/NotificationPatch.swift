package import Inbox
package import JSON

/// New values for members of a person's notifications, such as `isFollowingBack`.
package struct NotificationPatch: Sendable, Hashable {
    package let user: UserID
    /// The name of the notification type.
    package let type: String
    /// Only notifications of this person's deeds. Without an actor and a key nothing changes.
    package let actor: String?
    /// Only notifications of the events with this key of the publisher's.
    package let key: String?
    package let publisher: String
    /// The new values of members by name; missing members are added.
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
