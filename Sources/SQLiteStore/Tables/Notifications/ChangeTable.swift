import Deliveries
import GRDB
import Inbox

/// Writes `change`, and keeps it short.
final class ChangeTable: ChangeRows {
    private let insert: Statement
    private let trim: Statement
    private let length: Int64
    /// How many changes pass between two removals of old rows.
    private let trimInterval: Int64

    init(_ db: Database, length: Int64) throws {
        insert = try db.cachedStatement(
            sql: """
                INSERT INTO change (inbox, seq, kind, reference, ids, unread, unseen, delta)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        trim = try db.cachedStatement(sql: "DELETE FROM change WHERE inbox = ? AND seq <= ?")
        self.length = length
        trimInterval = max(1, min(256, length / 4))
    }

    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) throws {
        let columns = change.columns
        try insert.execute(
            arguments: [
                inbox, stamp.seq, columns.kind, columns.reference, columns.ids, stamp.unread, stamp.unseen,
                stamp.delta,
            ])
    }

    /// Removes rows that no client can ask for any more, at one `seq` in ``trimInterval``; to be called at each.
    /// - Parameter head: the inbox's `seq`.
    func trim(inbox: Int64, head: Int64) throws {
        // Staggered by inbox: the inboxes of one event for many often have equal `seq`s.
        guard (head + inbox) % trimInterval == 0 else { return }
        try trim.execute(arguments: [inbox, head - length])
    }

    /// Inserts a row in place of a removed notification's, unless no client can ask for it any more.
    /// - Parameter head: the inbox's `seq`.
    func bury(_ record: NotificationRecord, inbox: Int64, head: Int64) throws {
        guard record.id > head - length else { return }
        let columns = LoggedChange.gone.columns
        try insert.execute(
            arguments: [
                inbox, record.id, columns.kind, columns.reference, columns.ids, record.unreadAfter,
                record.unseenAfter, 1,
            ])
    }
}
