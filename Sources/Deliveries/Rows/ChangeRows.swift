package import Inbox

/// The last changes of each inbox, by which clients resume.
package protocol ChangeRows: AnyObject {
    /// How many of its last changes an inbox keeps at least; positive.
    var length: Int64 { get }

    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) throws
    func remove(upTo seq: Int64, inbox: Int64) throws
}

extension ChangeRows {
    /// Drops what nobody can ask for any more, many rows at a time; to be called at each `seq`.
    /// - Parameter head: the inbox's `seq`.
    package func trim(inbox: Int64, head: Int64) throws {
        // Staggered by inbox: the inboxes of one event for many often have equal `seq`s.
        guard (head + inbox) % max(1, min(256, length / 4)) == 0 else { return }
        try remove(upTo: head - length, inbox: inbox)
    }

    /// Inserts a row in place of a removed notification's, unless no client can ask for it any more.
    /// - Parameter head: the inbox's `seq`.
    package func bury(_ record: NotificationRecord, inbox: Int64, head: Int64) throws {
        guard record.id > head - length else { return }
        let stamp = ChangeStamp(seq: record.id, unread: record.unreadAfter, unseen: record.unseenAfter, delta: 1)
        try append(.gone, stamp, inbox: inbox)
    }
}
