import Deliveries
import Postgres

/// Erased inboxes, whose rows go a step at a time. The row of `erasure` is the lock of what is left of an inbox.
final class PostgresErasures: PostgresPart, ErasureRows {
    private static let findNotifications = PostgresStatement(
        composed: """
            SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = $1
            UNION ALL SELECT \(NotificationRecord.pushOnlyColumns) FROM push_only WHERE inbox = $1
            ORDER BY id LIMIT $2
            """)

    func first() throws -> Int64? { try connection.run("SELECT min(inbox) FROM erasure")[0].int64OrNil(0) }

    func notifications(inbox: Int64, limit: Int) throws -> [NotificationRecord] {
        // Two steps at once would count the same rows twice. In statements of their own: the second one sees what the
        // step before has left. The sweep takes push-only rows without this lock.
        try connection.queue("SELECT FROM erasure WHERE inbox = $1 FOR UPDATE", [.int64(inbox)])
        try connection.queue("SELECT FROM push_only WHERE inbox = $1 ORDER BY id FOR UPDATE", [.int64(inbox)])
        return try connection.run(Self.findNotifications, [.int64(inbox), .int64(Int64(limit))])
            .map(NotificationRecord.init)
    }

    func uses(ofContent id: Int64) throws -> Int64 {
        try connection.run("SELECT uses FROM content WHERE id = $1", [.int64(id)]).first?.int64(0) ?? 0
    }

    func insert(inbox: Int64) throws {
        try connection.queue("INSERT INTO erasure (inbox) VALUES ($1) ON CONFLICT DO NOTHING", [.int64(inbox)])
    }

    func deletePaces(inbox: Int64) throws {
        try connection.queue("DELETE FROM push_pace WHERE inbox = $1", [.int64(inbox)])
    }

    func delete(_ rows: [NotificationRecord], inbox: Int64) throws {
        try PostgresInboxList(self.rows).remove(rows, inbox: inbox)
    }

    func deleteChanges(inbox: Int64, limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM change WHERE inbox = $1 AND seq = ANY(ARRAY(
                SELECT seq FROM change WHERE inbox = $1 ORDER BY seq LIMIT $2))
            """,
            [.int64(inbox), .int64(Int64(limit))]
        ).changedRows
    }

    func delete(inbox: Int64) throws {
        try connection.queue("DELETE FROM erasure WHERE inbox = $1", [.int64(inbox)])
    }
}
