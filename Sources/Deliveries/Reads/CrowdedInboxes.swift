package import Inbox

/// The inboxes with notifications to remove, among those that were looked at.
package struct CrowdedInboxes: Sendable {
    package let users: [UserID]
    /// The last inbox that was looked at.
    package let lastInbox: Int64
    /// Whether no inboxes are behind it.
    package let isLast: Bool

    package init(users: [UserID], lastInbox: Int64, isLast: Bool) {
        (self.users, self.lastInbox, self.isLast) = (users, lastInbox, isLast)
    }
}
