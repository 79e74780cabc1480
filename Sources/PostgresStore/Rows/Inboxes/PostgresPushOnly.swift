import Deliveries
import Inbox
import Postgres

/// Notifications that are pushed and stand in no inbox.
///
/// The sweep removes them without their person's lock. So whoever reads one to change it locks its row.
final class PostgresPushOnly: PostgresPart, PushOnlyRows {
    private static let select = "SELECT \(NotificationRecord.pushOnlyColumns) FROM push_only WHERE inbox = $1"
    private static let find = PostgresStatement(composed: "\(select) AND id = $2 FOR UPDATE")
    private static let findBatch = PostgresStatement(composed: "\(select) AND batch_key = $2 LIMIT 1 FOR UPDATE")

    // MARK: Looking

    func record(inbox: Int64, id: Int64) throws -> NotificationRecord? {
        try connection.run(Self.find, [.int64(inbox), .int64(id)]).first.map(NotificationRecord.init)
    }

    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        try connection.run(Self.findBatch, [.int64(inbox), .bytes(Array(key.utf8))]).first
            .map(NotificationRecord.init)
    }

    func newest(inbox: Int64) throws -> Int64? {
        try connection.run("SELECT max(id) FROM push_only WHERE inbox = $1", [.int64(inbox)])[0].int64OrNil(0)
    }

    func stored(before time: Timestamp, limit: Int) throws -> [(inbox: Int64, id: Int64, content: Int64)] {
        // Rows that another transaction holds are changing, or that one sweeps them.
        let old = try connection.run(
            """
            SELECT inbox, id, content FROM push_only WHERE stored_at < $1 ORDER BY stored_at LIMIT $2
            FOR UPDATE SKIP LOCKED
            """,
            [.int64(time.milliseconds), .int64(Int64(limit))])
        return try old.map { (try $0.int64(0), try $0.int64(1), try $0.int64(2)) }
    }

    // MARK: Writing

    func insert(_ notification: NewNotification) throws {
        let record = notification.record
        try connection.queue(
            """
            INSERT INTO push_only (inbox, id, content, created_at, stored_at, rev, batch_key)
            VALUES ($1, $2, $3, $4, $5, 1, $6)
            """,
            [
                .int64(notification.inbox), .int64(record.id), .int64(record.contentID),
                .int64(record.createdAt.milliseconds), .int64(notification.storedAt.milliseconds),
                .bytes(notification.batchKey.map { Array($0.utf8) }),
            ])
    }

    /// Writes the record's content and `rev`.
    func grow(_ record: NotificationRecord, inbox: Int64) throws {
        try connection.queue(
            "UPDATE push_only SET content = $3, rev = $4 WHERE inbox = $1 AND id = $2",
            [.int64(inbox), .int64(record.id), .int64(record.contentID), .int64(record.rev)])
    }

    func closeBatch(inbox: Int64, id: Int64) throws {
        try connection.queue(
            "UPDATE push_only SET batch_key = NULL WHERE inbox = $1 AND id = $2", [.int64(inbox), .int64(id)])
    }

    func renew(inbox: Int64, id: Int64, at now: Timestamp) throws {
        try connection.queue(
            "UPDATE push_only SET stored_at = $3 WHERE inbox = $1 AND id = $2",
            [.int64(inbox), .int64(id), .int64(now.milliseconds)])
    }

    func delete(inbox: Int64, id: Int64) throws {
        try connection.queue("DELETE FROM push_only WHERE inbox = $1 AND id = $2", [.int64(inbox), .int64(id)])
    }
}
