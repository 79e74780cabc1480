package import Inbox

/// One row of `notification`, with its content's number.
package struct NotificationRecord {
    /// The `seq` at which it came, which is its number within the inbox.
    package let id: Int64
    package var contentID: Int64
    package let createdAt: Timestamp
    package var rev: Int64
    /// The `seq` at which its content last changed.
    package var seq: Int64
    package var isRead: Bool
    package var isSeen: Bool
    /// The inbox's counts right after it came.
    package let unreadAfter: Int64
    package let unseenAfter: Int64
    package var fresh = FreshContent()
    /// The place in lists: the `seq` at which it came, or came up again.
    package var place: Int64
    /// Whether its row or its content is damaged: no list shows it.
    package let isDamaged: Bool

    /// Whether it is only pushed and stands in no inbox.
    package var isPushOnly: Bool { PushOnlyNumber.isOne(id) }

    /// A new notification.
    package init(stamp: ChangeStamp, contentID: Int64, createdAt: Timestamp) {
        (id, seq, rev, place) = (stamp.seq, stamp.seq, 1, stamp.seq)
        (unreadAfter, unseenAfter) = (stamp.unread, stamp.unseen)
        (self.contentID, self.createdAt) = (contentID, createdAt)
        (isRead, isSeen, isDamaged) = (false, false, false)
    }

    /// A new push-only notification.
    package init(pushOnly number: Int64, contentID: Int64, createdAt: Timestamp) {
        self.init(
            stamp: ChangeStamp(seq: number, unread: 0, unseen: 0, delta: 0), contentID: contentID, createdAt: createdAt)
    }

    /// One as its row has it.
    package init(
        id: Int64, contentID: Int64, createdAt: Timestamp, rev: Int64, seq: Int64, isRead: Bool, isSeen: Bool,
        unreadAfter: Int64, unseenAfter: Int64, fresh: FreshContent, place: Int64, isDamaged: Bool
    ) {
        (self.id, self.contentID, self.createdAt, self.rev, self.seq) = (id, contentID, createdAt, rev, seq)
        (self.isRead, self.isSeen, self.fresh, self.place) = (isRead, isSeen, fresh, place)
        (self.unreadAfter, self.unseenAfter, self.isDamaged) = (unreadAfter, unseenAfter, isDamaged)
    }

    package func notification(inbox: Int64, _ content: Content) -> Notification {
        Notification(
            id: NotificationID(inbox: inbox, sequence: id), content: content, createdAt: createdAt, rev: rev, seq: seq,
            isRead: isRead, isSeen: isSeen, place: place)
    }
}
