/// One inbox's position and counts. Every change of an inbox goes through here, so the numbers cannot drift apart.
///
/// Each mutating method takes the next `seq` and returns the change for the log and the sessions.
package struct InboxState: Sendable, Hashable {
    /// Drawn at random when the inbox is created or restored: `seq` values of different epochs cannot be compared.
    package let epoch: String
    package private(set) var seq: Int64
    /// The number of unread notifications; always equal to the number of unread rows.
    package private(set) var unread: Int64
    /// The number of notifications that came or grew since the user last looked at the list.
    package private(set) var unseen: Int64
    /// The number of notifications in the inbox.
    package private(set) var total: Int64

    package init(epoch: String, seq: Int64 = 0, unread: Int64 = 0, unseen: Int64 = 0, total: Int64 = 0) {
        self.epoch = epoch
        self.seq = seq
        self.unread = unread
        self.unseen = unseen
        self.total = total
    }

    /// A new notification: unread and unseen.
    package mutating func add() -> ChangeStamp {
        unread += 1
        unseen += 1
        total += 1
        return next(delta: 1)
    }

    /// An unread notification grew. The new part is unseen, so a seen notification becomes unseen again.
    package mutating func grow(wasSeen: Bool) -> ChangeStamp {
        if wasSeen { unseen += 1 }
        return next(delta: 0)
    }

    /// A notification's live fields changed, or it lost a part; nothing new has come.
    ///
    /// - Parameter seesAgain: whether the rest of an unseen notification was seen before.
    package mutating func alter(seesAgain: Bool = false) -> ChangeStamp {
        if seesAgain { unseen -= 1 }
        return next(delta: 0)
    }

    /// `count` unread notifications were read. Reading implies seeing, so `unseenCount` of them leave the unseen ones.
    package mutating func read(_ count: Int64, unseen unseenCount: Int64) -> ChangeStamp {
        unread -= count
        unseen -= unseenCount
        return next(delta: -count)
    }

    /// The person looked at `count` notifications in the list.
    package mutating func see(_ count: Int64) -> ChangeStamp {
        unseen -= count
        return next(delta: 0)
    }

    /// `count` notifications were removed; `unreadCount` and `unseenCount` of them were unread and unseen.
    package mutating func remove(_ count: Int64, unread unreadCount: Int64, unseen unseenCount: Int64) -> ChangeStamp {
        total -= count
        unread -= unreadCount
        unseen -= unseenCount
        return next(delta: -unreadCount)
    }

    private mutating func next(delta: Int64) -> ChangeStamp {
        seq += 1
        return ChangeStamp(seq: seq, unread: unread, unseen: unseen, delta: delta)
    }
}
