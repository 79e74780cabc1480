import Postgres
import Store

/// The table in which applications leave events.
struct PostgresOutbox: Outbox {
    let readers: PostgresPool
    /// What a caller is told of a failure below.
    let failure: @Sendable (any Error) -> StoreError

    private static let mostCounted: Int64 = 1_000_000

    func rows(
        _ limit: Int, bytes: Int, completion: @escaping @Sendable (Result<[OutboxRow], StoreError>) -> Void
    ) {
        readers.read { connection in
            try connection.run(
                """
                SELECT id, event, tries FROM (
                    SELECT id, event, tries, sum(octet_length(event)) OVER (ORDER BY id) - octet_length(event) AS before
                    FROM (
                        SELECT id, event::text, tries FROM outbox
                        WHERE refusal IS NULL AND next_at <= clock_timestamp() ORDER BY id LIMIT $1
                    ) AS first
                ) AS summed WHERE before < $2 ORDER BY id
                """, [.int64(Int64(limit)), .int64(Int64(bytes))]
            ).map { row in
                OutboxRow(id: try row.int64(0), event: Array(try row.text(1).utf8), tries: Int(try row.int64(2)))
            }
        } then: {
            completion($0.mapError(failure))
        }
    }

    func settle(
        _ settlement: OutboxSettlement, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        readers.read { connection in
            try connection.transaction {
                // A row that is back after a crash is published again under its key, which changes nothing.
                try connection.queue("SET LOCAL synchronous_commit = off")
                if !settlement.stored.isEmpty {
                    try connection.queue("DELETE FROM outbox WHERE id = ANY ($1)", [.int64s(settlement.stored)])
                }
                if !settlement.refused.isEmpty {
                    try connection.queue(
                        """
                        UPDATE outbox SET tries = tries + 1, refusal = new.reason
                        FROM unnest($1, $2) AS new (id, reason) WHERE outbox.id = new.id
                        """,
                        [.int64s(settlement.refused.map(\.row)), .texts(settlement.refused.map(\.reason))])
                }
                if !settlement.delayed.isEmpty {
                    try connection.queue(
                        """
                        UPDATE outbox SET tries = tries + 1,
                            next_at = clock_timestamp() + new.rest * interval '1 millisecond'
                        FROM unnest($1, $2) AS new (id, rest) WHERE outbox.id = new.id
                        """,
                        [
                            .int64s(settlement.delayed.map(\.row)),
                            .int64s(settlement.delayed.map { Int64($0.rest / .milliseconds(1)) }),
                        ])
                }
            }
        } then: {
            completion($0.mapError(failure))
        }
    }

    static func figures(on connection: PostgresConnection) throws -> OutboxFigures {
        let row = try connection.run(
            """
            SELECT
                (SELECT count(*) FROM (SELECT FROM outbox WHERE refusal IS NULL LIMIT $1) AS waiting),
                coalesce((
                    SELECT (extract(epoch FROM clock_timestamp() - at) * 1000)::int8 FROM outbox
                    WHERE refusal IS NULL ORDER BY id LIMIT 1), 0),
                (SELECT count(*) FROM (SELECT FROM outbox WHERE refusal IS NOT NULL LIMIT $1) AS refused)
            """, [.int64(mostCounted)])[0]
        return OutboxFigures(
            waiting: try row.int64(0), oldest: .milliseconds(try row.int64(1)), refused: try row.int64(2))
    }
}
