import Deliveries
import GRDB
import Inbox
import Store

/// Idempotency keys and their answers: columns of `trail_event`, in an event's first row.
final class KeyTable: KeyRows {

    /// How many keys one statement looks up at most.
    private static let mostAtOnce = 16

    private let isKnown: Statement
    private let findKnown: StatementsByCount
    private let find: Statement
    private let update: Statement
    private let remove: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        // Most keys are new, which the index alone can tell.
        isKnown = try Statement(
            db, sql: "SELECT 1 FROM trail_event WHERE publisher = ? AND key = ? LIMIT 1")
        findKnown = StatementsByCount(db, most: Self.mostAtOnce, roomEach: 512) { count in
            let asked = (0..<count).map { "(\($0), ?, ?)" }.joined(separator: ", ")
            // A key stands in each of its event's pages, which may be thousands: finding one is enough.
            return """
                WITH asked (place, publisher, key) AS (VALUES \(asked)) SELECT place FROM asked WHERE EXISTS (
                    SELECT 1 FROM trail_event
                    WHERE trail_event.publisher = asked.publisher AND trail_event.key = asked.key)
                """
        }
        // No order: of several events with the key, all but one have expired or were taken back.
        find = try Statement(
            db,
            sql: """
                SELECT event, fingerprint, recipients, created, updated, suppressed FROM trail_event
                WHERE publisher = ? AND key = ? AND page = 0 AND fingerprint IS NOT NULL AND accepted_at > ? LIMIT 1
                """)
        update = try db.statement(
            sql: """
                UPDATE trail_event SET recipients = ?, created = ?, updated = ?, suppressed = ?
                WHERE event = ? AND page = 0 AND fingerprint IS NOT NULL
                """)
        let holds = "publisher = ? AND key = ? AND page = 0 AND fingerprint IS NOT NULL"
        remove = try db.statement(
            sql: "UPDATE trail_event SET fingerprint = NULL WHERE \(holds)")
    }

    /// The names that the table has, even if only for events that no longer hold their keys.
    ///
    /// A good part of a look-up is to begin and end a statement, and to find the way into the index, which is the same
    /// for neighbouring keys.
    func known(among names: [EventKey]) throws -> Set<EventKey> {
        let names = distinct(names)
        var known: Set<EventKey> = []
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

    /// The names in order, each once, except where different names with the same digest alternate. Those cost no more
    /// than as many different names.
    private func distinct(_ names: [EventKey]) -> [EventKey] {
        var places = [UInt64: Int](minimumCapacity: names.count)
        var distinct: [EventKey] = []
        distinct.reserveCapacity(names.count)
        for (place, name) in names.enumerated() {
            if let before = places.updateValue(place, forKey: name.digest), names[before] == name { continue }
            distinct.append(name)
        }
        return distinct
    }

    /// - Parameter lifetime: an event that was taken in longer ago has lost its key.
    func use(of key: String, by publisher: String, at now: Timestamp, lifetime: Duration) throws -> KeyUse? {
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
            let name = RowNaming(table: "trail_event").row(row)
            return try damage.sound(name) {
                var checked = CheckedRow(row)
                let use = KeyUse(
                    fingerprint: UInt64(bitPattern: try row.int(1)), event: try row.text(0),
                    recipients: Int(checked.count(2)), created: Int(checked.count(3)), updated: Int(checked.count(4)),
                    suppressed: Int(checked.count(5)))
                // The key is known nevertheless: only the answer's numbers are other ones.
                if checked.isDamaged { damage.leaveOut(name) }
                return use
            }
        } ?? nil
    }

    /// Writes the final answer once all of the event's people are reached. Writes nothing without a held key.
    func update(_ outcome: PublishOutcome) throws {
        try update.execute(
            arguments: [outcome.recipients, outcome.created, outcome.updated, outcome.suppressed, outcome.event])
    }

    /// Frees the key for another event.
    func remove(_ key: String, of publisher: String) throws { try remove.execute(arguments: [publisher, key]) }
}
