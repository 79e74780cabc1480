import Deliveries
import GRDB
import Inbox
import Push
import Store

/// Reads the trail of one person's notification, as of the snapshot that `db` is in.
///
/// An index from notifications to events would cost for every recipient of every event. But events' ids are in the
/// order of time, and a notification knows when it was stored. So its first event is searched from there back, and
/// events that a batch took in later from there on.
struct NotificationTrailReader {
    /// An event's id is made a moment before or after its notifications are stored.
    private static let slack = Duration.milliseconds(250)
    /// About half a million recipients.
    private static let maximumBytes = 1 << 20

    private let db: Database
    private let recipients: TrailedRecipientReader
    private let damage: DamageWatch
    private let maximumRows: Int

    /// - Parameters:
    ///   - damage: hears of rows that cannot be read.
    ///   - maximumRows: how many rows are read in each direction at most.
    init(_ db: Database, _ jobs: PushJobIndex, _ providers: ProviderList, _ damage: DamageWatch, maximumRows: Int)
        throws
    {
        (self.db, self.damage, self.maximumRows) = (db, damage, maximumRows)
        recipients = try TrailedRecipientReader(db, jobs, providers, damage)
    }

    /// Nil for a notification that is not in this person's inbox.
    ///
    /// - Parameter firstName: the lowest id of events that were taken in at a time.
    func trail(
        of notification: NotificationID, user: UserID, firstName: (Timestamp) -> String
    ) throws -> NotificationTrail? {
        guard try recipients.inbox(of: user) == notification.inbox,
            let row = try row(of: notification)
        else { return nil }
        let middle = firstName(row.storedAt + Self.slack)
        let before = try look(.back, from: middle, for: notification)
        var (found, isWhole) = (Array(before.found.reversed()), before.isWhole)
        if !isWhole, row.isRaised {
            // Coming up again has renewed its storing time, which may now be far from its first event.
            let first = try look(.back, from: firstName(row.createdAt + Self.slack), for: notification)
            let known = Set(found.map(\.event.id))
            found = first.found.reversed().filter { !known.contains($0.event.id) } + found
        }
        // A notification that never changed has taken in no later event.
        if row.rev > 1 || found.isEmpty {
            let after = try look(.on, from: middle, for: notification)
            found += after.found
            isWhole = after.isWhole && (isWhole || after.found.contains(where: \.isBeginning))
        }
        let entries = try found.map { found in
            PersonalTrail.Entry(
                event: found.event,
                decisions: [try recipients.recipient(found.person, since: found.event.acceptedAt)])
        }
        return NotificationTrail(entries: entries, isWhole: isWhole)
    }

    private struct Row {
        let storedAt: Timestamp
        let createdAt: Timestamp
        let rev: Int64
        let isRaised: Bool
    }

    private func row(of notification: NotificationID) throws -> Row? {
        let find = try db.cachedStatement(
            sql: """
                SELECT \(NotificationTable.storingTime), created_at, rev, place <> id FROM notification
                WHERE inbox = ? AND id = ?
                """)
        return try find.first([notification.inbox, notification.sequence]) { row in
            var row = CheckedRow(row)
            return Row(storedAt: row.time(0), createdAt: row.time(1), rev: row.count(2), isRaised: row.flag(3))
        }
    }

    // MARK: Looking

    private enum Direction: String {
        /// Searches back, to the event that made the notification.
        case back = "event < ? ORDER BY event DESC, page DESC"
        case on = "event >= ? ORDER BY event, page"
    }

    private struct Found {
        let event: TrailedEvent
        let person: TrailedPerson

        var isBeginning: Bool {
            switch person.verdict.decision {
            case .created, .pushOnly: true
            case .grew, .isActor, .unrouted, .muted, .preferenceOff: false
            }
        }
    }

    /// - Returns: the events in the order of the search, and whether it saw all rows that matter.
    private func look(
        _ direction: Direction, from name: String, for notification: NotificationID
    ) throws -> (found: [Found], isWhole: Bool) {
        let find = try db.cachedStatement(sql: "SELECT event, verdicts FROM trail_event WHERE \(direction.rawValue)")
        let naming = RowNaming(table: "trail_event")
        var found: [Found] = []
        var (rows, bytes) = (0, 0)
        let cursor = try StoredRow.fetchCursor(find, arguments: [name])
        while let row = try cursor.next() {
            guard rows < maximumRows, bytes < Self.maximumBytes else { return (found, false) }
            rows += 1
            let read = try damage.sound(naming.row(row)) { () -> (String, TrailedPerson?, Int) in
                guard let blob = try row.bytes(1), let verdicts = TrailVerdicts(bytes: blob) else {
                    throw naming.row(row)
                }
                let people = TrailedPerson.people(of: verdicts)
                let person = people.first {
                    $0.inbox == notification.inbox && $0.notification == notification.sequence
                }
                return (try row.text(0), person, blob.count)
            }
            guard let (event, person, size) = read else { continue }
            bytes += size
            guard let person, let event = try self.event(event) else { continue }
            found.append(Found(event: event, person: person))
            if direction == .back, found.last?.isBeginning == true { return (found, true) }
        }
        return (found, true)
    }

    /// The event as its first page tells it.
    private func event(_ name: String) throws -> TrailedEvent? {
        let find = try db.cachedStatement(
            sql: "SELECT \(TrailedEvent.columns) FROM trail_event WHERE event = ? ORDER BY page")
        return try find.sound([name], of: RowNaming(table: "trail_event"), damage, limit: 1) { try TrailedEvent($0) }
            .first
    }
}
