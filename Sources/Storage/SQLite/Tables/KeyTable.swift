import GRDB
import Inbox

/// Idempotency keys and the answers that were given.
struct KeyTable {
    /// What a key was used for.
    struct Use {
        let fingerprint: UInt64
        let outcome: PublishOutcome
    }

    private let find: Statement
    private let insert: Statement
    private let update: Statement
    private let sweep: Statement
    private let remove: Statement
    /// At most so many rows go in one commit: a backlog must not hold up a publish.
    private let sweepRows = 1_000

    init(_ db: Database) throws {
        find = try db.cachedStatement(
            sql: """
                SELECT fingerprint, event, recipients, created, updated, suppressed FROM idempotency
                WHERE publisher = ? AND key = ? AND expires_at > ?
                """)
        // An expired row may still stand there.
        insert = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO idempotency (
                    publisher, key, fingerprint, event, recipients, created, updated, suppressed, expires_at
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        update = try db.cachedStatement(
            sql: """
                UPDATE idempotency SET recipients = ?, created = ?, updated = ?, suppressed = ?
                WHERE publisher = ? AND key = ? AND event = ?
                """)
        remove = try db.cachedStatement(sql: "DELETE FROM idempotency WHERE publisher = ? AND key = ?")
        sweep = try db.cachedStatement(
            sql: """
                DELETE FROM idempotency WHERE (publisher, key) IN (
                    SELECT publisher, key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT \(sweepRows))
                """)
    }

    func use(of key: String, by publisher: String, at now: Timestamp) throws -> Use? {
        try find.first([publisher, key, now.milliseconds]) { row in
            let outcome = PublishOutcome(
                event: try row.text(1), recipients: Int(try row.int(2)), created: Int(try row.int(3)),
                updated: Int(try row.int(4)), suppressed: Int(try row.int(5)), isReplay: true)
            return Use(fingerprint: UInt64(bitPattern: try row.int(0)), outcome: outcome)
        }
    }

    func keep(_ use: Use, of key: String, by publisher: String, until expiry: Timestamp) throws {
        let outcome = use.outcome
        try insert.execute(
            arguments: [
                publisher, key, Int64(bitPattern: use.fingerprint), outcome.event, outcome.recipients, outcome.created,
                outcome.updated, outcome.suppressed, expiry.milliseconds,
            ])
    }

    /// The answer is final now that all of the event's people have it; a key that is used anew meanwhile stays as it is.
    func update(_ outcome: PublishOutcome, of key: String, by publisher: String) throws {
        try update.execute(
            arguments: [
                outcome.recipients, outcome.created, outcome.updated, outcome.suppressed, publisher, key, outcome.event,
            ])
    }

    /// The key may be used for another event from now on.
    func remove(_ key: String, of publisher: String) throws { try remove.execute(arguments: [publisher, key]) }

    func removeExpired(at now: Timestamp) throws { try sweep.execute(arguments: [now.milliseconds]) }
}
