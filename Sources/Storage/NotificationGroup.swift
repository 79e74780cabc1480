package import Inbox

/// Notifications that a list shows as one line, or one that stands alone.
package struct NotificationGroup: Sendable {
    /// Nil for a notification that belongs to no group.
    package let group: String?
    /// The line: of a group as its newest notification's type words it.
    package let text: String
    package let count: Int
    package let unreadCount: Int
    package let latest: Notification

    /// - Parameters:
    ///   - latest: the newest notification of the group, or the one that stands alone.
    ///   - count: how many the group has.
    ///   - unreadCount: how many of them are unread. The line counts these, and all of them once none is.
    package init(latest: Notification, count: Int, unreadCount: Int) {
        let content = latest.content
        let counted = content.group.flatMap { _ in content.groupText }
        group = content.group
        text = counted?.text(count: unreadCount > 0 ? unreadCount : count) ?? content.displayText
        (self.latest, self.count, self.unreadCount) = (latest, count, unreadCount)
    }
}
