import Deliveries
import GRDB
import Inbox

/// The statements that write and read `push_only`: see ``Schema/pushOnly``.
final class PushOnlyTable: PushOnlyRows {
    /// The ``NotificationRecord/columns`` of a push-only row. No list shows it, and its counts are 0.
    static let columns = "id, content, created_at, rev, id, 0, 0, 0, 0, 0, NULL, id"

    private let insert: Statement
    private let findNewest: Statement
    private let find: Statement
    private let findBatch: Statement
    private let findAged: Statement
    private let grow: Statement
    private let closeBatch: Statement
    private let renew: Statement
    private let delete: Statement

    init(_ db: Database) throws {
        let select = "SELECT \(Self.columns) FROM push_only WHERE inbox = ?"
        let same = "WHERE inbox = ? AND id = ?"
        insert = try db.statement(
            sql: """
                INSERT INTO push_only (inbox, id, content, created_at, stored_at, rev, batch_key) VALUES (?, ?, ?, ?, ?, 1, ?)
                """)
        findNewest = try db.statement(sql: "SELECT max(id) FROM push_only WHERE inbox = ?")
        find = try db.statement(sql: "\(select) AND id = ?")
        findBatch = try db.statement(sql: "\(select) AND batch_key = ?")
        findAged = try db.statement(
            sql: "SELECT inbox, id, content FROM push_only WHERE stored_at < ? ORDER BY stored_at LIMIT ?")
        grow = try db.statement(sql: "UPDATE push_only SET content = ?, rev = ? \(same)")
        closeBatch = try db.statement(sql: "UPDATE push_only SET batch_key = NULL \(same)")
        renew = try db.statement(sql: "UPDATE push_only SET stored_at = ? \(same)")
        delete = try db.statement(sql: "DELETE FROM push_only \(same)")
    }

    // MARK: Looking

    func record(inbox: Int64, id: Int64) throws -> NotificationRecord? {
        try find.first([inbox, id], NotificationRecord.init)
    }

    /// The notification that an event with this batch key may still grow.
    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        try findBatch.first([inbox, key], NotificationRecord.init)
    }

    /// The inbox's highest push-only number.
    func newest(inbox: Int64) throws -> Int64? { try findNewest.first([inbox]) { try $0.optionalInt(0) } ?? nil }

    /// The oldest rows of all inboxes that were stored before `time`.
    func stored(before time: Timestamp, limit: Int) throws -> [(inbox: Int64, id: Int64, content: Int64)] {
        try findAged.all([time.milliseconds, limit]) { row in
            var row = CheckedRow(row)
            return (row.count(0), row.count(1), row.count(2))
        }
    }

    // MARK: Writing

    func insert(_ row: NewNotification) throws {
        try insert.execute(
            arguments: [
                row.inbox, row.record.id, row.record.contentID, row.record.createdAt.milliseconds,
                row.storedAt.milliseconds, row.batchKey,
            ])
    }

    /// Writes the record's content and `rev`.
    func grow(_ record: NotificationRecord, inbox: Int64) throws {
        try grow.execute(arguments: [record.contentID, record.rev, inbox, record.id])
    }

    func closeBatch(inbox: Int64, id: Int64) throws { try closeBatch.execute(arguments: [inbox, id]) }

    /// Lets the notification age from now on.
    func renew(inbox: Int64, id: Int64, at now: Timestamp) throws {
        try renew.execute(arguments: [now.milliseconds, inbox, id])
    }

    func delete(inbox: Int64, id: Int64) throws { try delete.execute(arguments: [inbox, id]) }
}
