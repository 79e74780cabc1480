import Deliveries
import Inbox
import Postgres
import Store

/// Counts webhooks, and reads dead letters.
struct PostgresWebhookReads: WebhookReads {
    let rows: PostgresRows

    init(_ rows: PostgresRows) { self.rows = rows }

    func counts() throws -> [String: WebhookCount] {
        let found = try rows.connection.run(
            "SELECT endpoint, count(due), count(buried_at) FROM webhook GROUP BY endpoint")
        return try Dictionary(
            uniqueKeysWithValues: found.map { row in
                (try row.text(0), WebhookCount(waiting: try row.int64(1), dead: try row.int64(2)))
            })
    }

    func deadLetters(of endpoint: String, limit: Int) throws -> [DeadLetter] {
        try rows.connection.run(
            """
            SELECT id, buried_at, failures, coalesce(reason, ''), body FROM webhook
            WHERE endpoint = $1 AND buried_at IS NOT NULL ORDER BY buried_at DESC, id DESC LIMIT $2
            """, [.text(endpoint), .int64(Int64(limit))]
        ).map { row in
            DeadLetter(
                id: try row.text(0), buriedAt: Timestamp(milliseconds: try row.int64(1)),
                failures: Int(try row.int64(2)), reason: try row.text(3), body: try row.bytes(4))
        }
    }
}
