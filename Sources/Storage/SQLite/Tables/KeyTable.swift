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

    /// A key is a publisher's own.
    struct Name: Hashable {
        let publisher: ExactText
        let key: ExactText

        init(_ key: String, of publisher: String) {
            (self.publisher, self.key) = (ExactText(publisher), ExactText(key))
        }

        /// The key's: mostly all are of one publisher.
        var digest: UInt64 { key.digest }
    }

    /// So many keys are looked up by one statement at most.
    private static let mostAtOnce = 16

    private let isKnown: DirectStatement
    private let findKnown: StatementsByCount
    private let find: DirectStatement
    private let update: Statement
    private let remove: Statement

    init(_ db: Database) throws {
        // Most keys are new, and that the index tells alone.
        isKnown = try DirectStatement(
            db, sql: "SELECT 1 FROM trail_event WHERE publisher = ? AND key = ? LIMIT 1")
        findKnown = StatementsByCount(db, most: Self.mostAtOnce, roomEach: 512) { count in
            let asked = (0..<count).map { "(\($0), ?, ?)" }.joined(separator: ", ")
            // A key stands in each of its event's pages, which may be thousands: to find one is enough.
            return """
                WITH asked (place, publisher, key) AS (VALUES \(asked)) SELECT place FROM asked WHERE EXISTS (
                    SELECT 1 FROM trail_event
                    WHERE trail_event.publisher = asked.publisher AND trail_event.key = asked.key)
                """
        }
        // Of several events with the key all others have expired or were taken back: to sort them would take longer
        // than to find one.
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

    /// Those that stand in the table, if only for an event that has given its key free.
    ///
    /// Much of looking up one is to begin and end the statement, and to find the way into the index, which of keys that
    /// follow each other is the same.
    func known(among names: [Name]) throws -> Set<Name> {
        let names = distinct(names)
        var known: Set<Name> = []
        for start in stride(from: 0, to: names.count, by: Self.mostAtOnce) {
            let part = names[start..<min(start + Self.mostAtOnce, names.count)]
            try findKnown(part.count).forEach {
                for name in part {
                    $0.append(name.publisher.text)
                    $0.append(name.key.text)
                }
            } _: { row in
                known.insert(part[start + Int(try row.int(0))])
            }
        }
        return known
    }

    /// In their order, and each once, except where different ones with the same digest take turns. It costs no more to
    /// look those up than as many that differ.
    private func distinct(_ names: [Name]) -> [Name] {
        var places = [UInt64: Int](minimumCapacity: names.count)
        var distinct: [Name] = []
        distinct.reserveCapacity(names.count)
        for (place, name) in names.enumerated() {
            if let before = places.updateValue(place, forKey: name.digest), names[before] == name { continue }
            distinct.append(name)
        }
        return distinct
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

    /// The answer is final now that all of the event's people have it. Without a key, or with one that stands for it no
    /// more, there is nothing to write.
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
