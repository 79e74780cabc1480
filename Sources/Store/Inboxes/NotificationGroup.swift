package import Inbox

/// Notifications that a list shows as one line, or a single one without a group.
package struct NotificationGroup: Sendable {
    /// Nil for a notification without a group.
    package let group: String?
    /// The line; a group's is worded by its newest notification's type.
    package let text: String
    package let count: Int
    package let unreadCount: Int
    package let latest: Notification

    /// - Parameters:
    ///   - latest: the newest notification of the group, or the single one.
    ///   - count: how many notifications the group has.
    ///   - unreadCount: how many of them are unread. The line shows this number, or `count` once all are read.
    package init(latest: Notification, count: Int, unreadCount: Int) {
        let content = latest.content
        let counted = content.group.flatMap { _ in content.groupText }
        group = content.group
        text = counted?.text(count: unreadCount > 0 ? unreadCount : count) ?? content.displayText
        (self.latest, self.count, self.unreadCount) = (latest, count, unreadCount)
    }
}
