import Deliveries
import Inbox
import Postgres
import Store

/// Idempotency keys and their answers: columns of `trail_event`, in an event's first row.
///
/// Who asks for a key holds its lock until the transaction's end. Of two nodes that publish the same key at once, the
/// second one waits, and then finds what the first has committed.
final class PostgresKeys: PostgresPart, KeyRows {
    func known(among keys: [EventKey]) throws -> Set<EventKey> {
        let keys = Array(Set(keys))
        guard !keys.isEmpty else { return [] }
        let (publishers, names) = (keys.map(\.publisher.text), keys.map(\.key.text))
        try KeyLocks.take(publishers: publishers, keys: names, on: connection)
        // A key stands in each of its event's pages, which may be thousands: finding one is enough.
        let found = try connection.run(
            """
            SELECT place FROM unnest($1, $2) WITH ORDINALITY AS asked (publisher, key, place)
            WHERE EXISTS (
                SELECT 1 FROM trail_event
                WHERE trail_event.publisher = asked.publisher AND trail_event.key = asked.key)
            """, [.texts(publishers), .texts(names)])
        // Ordinalities count from 1.
        return Set(try found.map { keys[Int(try $0.int64(0)) - 1] })
    }

    func use(of key: String, by publisher: String, at now: Timestamp, lifetime: Duration) throws -> KeyUse? {
        try KeyLocks.take(key, of: publisher, on: connection)
        // No order: of several events with the key, all but one have expired or were taken back.
        return try connection.run(
            """
            SELECT event, fingerprint, coalesce(recipients, 0), coalesce(created, 0), coalesce(updated, 0),
                coalesce(suppressed, 0)
            FROM trail_event
            WHERE publisher = $1 AND key = $2 AND page = 0 AND fingerprint IS NOT NULL AND accepted_at > $3 LIMIT 1
            """, [.text(publisher), .text(key), .int64((now - lifetime).milliseconds)]
        ).first.map { row in
            KeyUse(
                fingerprint: UInt64(bitPattern: try row.int64(1)), event: try row.text(0),
                recipients: Int(try row.int64(2)), created: Int(try row.int64(3)), updated: Int(try row.int64(4)),
                suppressed: Int(try row.int64(5)))
        }
    }

    func update(_ outcome: PublishOutcome) throws {
        try connection.queue(
            """
            UPDATE trail_event SET recipients = $2, created = $3, updated = $4, suppressed = $5
            WHERE event = $1 AND page = 0 AND fingerprint IS NOT NULL
            """,
            [
                .text(outcome.event), .int64(Int64(outcome.recipients)), .int64(Int64(outcome.created)),
                .int64(Int64(outcome.updated)), .int64(Int64(outcome.suppressed)),
            ])
    }

    func remove(_ key: String, of publisher: String) throws {
        try KeyLocks.take(key, of: publisher, on: connection)
        try connection.queue(
            """
            UPDATE trail_event SET fingerprint = NULL
            WHERE publisher = $1 AND key = $2 AND page = 0 AND fingerprint IS NOT NULL
            """, [.text(publisher), .text(key)])
    }
}
