/// One row of one person's inbox.
package struct Notification: Sendable {
    package let id: NotificationID
    /// Shared by all recipients of the same event: a fan-out renders and stores the content once.
    package let content: Content
    package let createdAt: Timestamp
    /// The number of versions so far, from 1; clients apply changes by `(id, rev)`.
    package let rev: Int64
    /// The `seq` at which its content last changed.
    package let seq: Int64
    package let isRead: Bool
    package let isSeen: Bool
    /// The place in the list, highest first: the `seq` at which the notification came, or came up again.
    package let place: Int64

    package init(
        id: NotificationID, content: Content, createdAt: Timestamp, rev: Int64, seq: Int64, isRead: Bool, isSeen: Bool,
        place: Int64? = nil
    ) {
        self.id = id
        self.content = content
        self.createdAt = createdAt
        self.rev = rev
        self.seq = seq
        self.isRead = isRead
        self.isSeen = isSeen
        self.place = place ?? id.sequence
    }
}
