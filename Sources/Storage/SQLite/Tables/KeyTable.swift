import GRDB
import Inbox

/// Idempotency keys and the answers that were given: columns of `trail_event`, in an event's first row.
final class KeyTable {
    /// What a key was used for.
    struct Use {
        let fingerprint: UInt64
        let event: String
        let recipients: Int
        let created: Int
        let updated: Int
        let suppressed: Int

        /// The answer once more.
        var outcome: PublishOutcome {
            PublishOutcome(
                event: event, recipients: recipients, created: created, updated: updated, suppressed: suppressed,
                isReplay: true)
        }
    }

    private let isKnown: DirectStatement
    private let find: DirectStatement
    private let update: Statement
    private let remove: Statement

    init(_ db: Database) throws {
        // Most keys are new, and that the index tells alone.
        isKnown = try DirectStatement(
            db, sql: "SELECT 1 FROM trail_event WHERE publisher = ? AND key = ? LIMIT 1")
        // Of several events with the key all others have expired or were taken back: to sort them would take longer than to
        // find one.
        find = try DirectStatement(
            db,
            sql: """
                SELECT fingerprint, event, recipients, created, updated, suppressed FROM trail_event
                WHERE publisher = ? AND key = ? AND page = 0 AND fingerprint IS NOT NULL AND accepted_at > ? LIMIT 1
                """)
        update = try db.cachedStatement(
            sql: """
                UPDATE trail_event SET recipients = ?, created = ?, updated = ?, suppressed = ?
                WHERE event = ? AND page = 0 AND fingerprint IS NOT NULL
                """)
        remove = try db.cachedStatement(
            sql: "UPDATE trail_event SET fingerprint = NULL WHERE publisher = ? AND key = ? AND page = 0")
    }

    /// - Parameter lifetime: an event that was taken in so long ago gives its key free.
    func use(of key: String, by publisher: String, at now: Timestamp, lifetime: Duration) throws -> Use? {
        let isKnown = try isKnown.first {
            $0.append(publisher)
            $0.append(key)
        } _: { _ in
            true
        }
        guard isKnown != nil else { return nil }
        return try find.first {
            $0.append(publisher)
            $0.append(key)
            $0.append((now - lifetime).milliseconds)
        } _: { row in
            Use(
                fingerprint: UInt64(bitPattern: try row.int(0)), event: try row.text(1),
                recipients: Int(try row.int(2)), created: Int(try row.int(3)), updated: Int(try row.int(4)),
                suppressed: Int(try row.int(5)))
        }
    }

    /// The answer is final now that all of the event's people have it. Without a key, or with one that stands for it no more,
    /// there is nothing to write.
    func update(_ outcome: PublishOutcome) throws {
        try update.execute(
            arguments: [outcome.recipients, outcome.created, outcome.updated, outcome.suppressed, outcome.event])
    }

    /// The key may be used for another event from now on.
    func remove(_ key: String, of publisher: String) throws { try remove.execute(arguments: [publisher, key]) }
}

extension KeyTable.Use {
    init(fingerprint: UInt64, outcome: PublishOutcome) {
        self.init(
            fingerprint: fingerprint, event: outcome.event, recipients: outcome.recipients, created: outcome.created,
            updated: outcome.updated, suppressed: outcome.suppressed)
    }
}
