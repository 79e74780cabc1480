import Deliveries
import Inbox
import Postgres
import Store

/// Webhooks that are to be sent, and dead letters: the table `webhook`.
final class PostgresWebhooks: PostgresPart, WebhookRows {
    func insert(_ webhooks: [NewWebhook]) throws {
        try connection.queue(
            """
            INSERT INTO webhook (id, endpoint, inbox, due, failures, body)
            SELECT id, endpoint, inbox, due, 0, body
            FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::bytea[])
                AS new (id, endpoint, inbox, due, body)
            """,
            [
                .texts(webhooks.map(\.id)), .texts(webhooks.map(\.endpoint)), .int64s(webhooks.map(\.inbox)),
                .int64s(webhooks.map(\.due.milliseconds)), .byteArrays(webhooks.map(\.body)),
            ])
    }

    func lease(_ limit: Int, of endpoint: String, at now: Timestamp, until end: Timestamp) throws -> [Webhook] {
        // Another node may be handing out the same ones: it keeps them.
        let found = try connection.run(
            """
            WITH found AS MATERIALIZED (
                SELECT id, due FROM webhook WHERE endpoint = $1 AND due <= $2
                ORDER BY due, id LIMIT $3 FOR UPDATE SKIP LOCKED
            )
            UPDATE webhook SET due = $4 FROM found WHERE webhook.id = found.id
            RETURNING webhook.id, webhook.failures, webhook.body, found.due
            """, [.text(endpoint), .time(now), .int64(Int64(limit)), .time(end)]
        ).map { row in
            (
                due: try row.int64(3),
                webhook: Webhook(id: try row.text(0), failures: Int(try row.int64(1)), body: try row.bytes(2))
            )
        }
        return found.sorted { ($0.due, $0.webhook.id) < ($1.due, $1.webhook.id) }.map(\.webhook)
    }

    func nextDue(of endpoint: String) throws -> Timestamp? {
        try connection.run(
            "SELECT due FROM webhook WHERE endpoint = $1 AND due IS NOT NULL ORDER BY due LIMIT 1", [.text(endpoint)]
        ).first.map { Timestamp(milliseconds: try $0.int64(0)) }
    }

    func settle(_ outcomes: [WebhookOutcome]) throws {
        for outcome in outcomes {
            switch outcome {
            case .delivered(let id): try connection.queue("DELETE FROM webhook WHERE id = $1", [.text(id)])
            case .putOff(let id, let due, let failures, let reason):
                try connection.queue(
                    "UPDATE webhook SET due = $2, failures = $3, reason = $4 WHERE id = $1 AND due IS NOT NULL",
                    [.text(id), .time(due), .int64(Int64(failures)), .text(reason)])
            case .buried(let id, let time, let failures, let reason):
                try connection.queue(
                    """
                    UPDATE webhook SET due = NULL, buried_at = $2, failures = $3, reason = $4
                    WHERE id = $1 AND due IS NOT NULL
                    """, [.text(id), .time(time), .int64(Int64(failures)), .text(reason)])
            }
        }
    }

    func revive(_ limit: Int, of endpoint: String, due: Timestamp) throws -> Int {
        try connection.run(
            """
            UPDATE webhook SET due = $3, buried_at = NULL, failures = 0, reason = NULL WHERE id = ANY (ARRAY(
                SELECT id FROM webhook WHERE endpoint = $1 AND buried_at IS NOT NULL
                ORDER BY buried_at LIMIT $2 FOR UPDATE SKIP LOCKED
            ))
            """, [.text(endpoint), .int64(Int64(limit)), .time(due)]
        ).changedRows
    }

    func remove(_ limit: Int, before id: String) throws -> Int {
        try connection.run(
            """
            DELETE FROM webhook WHERE id = ANY (ARRAY(
                SELECT id FROM webhook WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
            ))
            """, [.text(id), .int64(Int64(limit))]
        ).changedRows
    }

    func remove(inbox: Int64) throws {
        try connection.queue("DELETE FROM webhook WHERE inbox = $1", [.int64(inbox)])
    }

    func move(by span: Duration) throws {
        try connection.queue(
            "UPDATE webhook SET due = due + $1 WHERE due IS NOT NULL", [.int64(span.milliseconds)])
    }
}
