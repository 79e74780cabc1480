package import JSON

/// What a push says, before a provider's format: rendered with the notification, so that sending needs no catalog.
package struct PushContent: Sendable, Hashable {
    package var title: String
    package var body: String
    /// Groups pushes on the lock screen: a thread id ("room:789").
    package var group: String?
    package var urgency: PushPolicy.Urgency
    /// What the number on the app's icon counts; the number itself is read when the push is sent.
    package var badge: BadgeRule
    /// The app's own members beside the provider's: `type`, `roomId`, … Values are strings, numbers or booleans.
    package var data: JSONObject

    package init(
        title: String, body: String, group: String?, urgency: PushPolicy.Urgency, badge: BadgeRule = .unread,
        data: JSONObject
    ) {
        self.title = title
        self.body = body
        self.group = group
        self.urgency = urgency
        self.badge = badge
        self.data = data
    }
}
