import GRDB
import Inbox

/// Reads the trail of one person's notification, as of the snapshot that `db` is in.
///
/// No index leads from a notification to its events: every recipient of every event would pay for that. But events'
/// names are in the order of time, and a notification knows when it was stored: its event is looked for from there
/// back, and what a batch took in later from there on.
struct NotificationTrailReader {
    /// An event is named a moment before or after the time at which its notifications are stored.
    private static let slack = Duration.milliseconds(250)
    /// About half as many recipients.
    private static let maximumBytes = 1 << 20

    private let db: Database
    private let recipients: TrailedRecipientReader
    private let damage: DamageWatch
    private let maximumRows: Int

    /// - Parameters:
    ///   - damage: hears of rows that cannot be read.
    ///   - maximumRows: so many rows are looked at in each direction.
    init(_ db: Database, _ jobs: PushJobIndex, _ damage: DamageWatch, maximumRows: Int) throws {
        (self.db, self.damage, self.maximumRows) = (db, damage, maximumRows)
        recipients = try TrailedRecipientReader(db, jobs, damage)
    }

    /// Nil for one that is not in this person's inbox.
    ///
    /// - Parameter firstName: what no event is named before that was taken in at a time.
    func trail(
        of notification: NotificationID, user: UserID, firstName: (Timestamp) -> String
    ) throws -> NotificationTrail? {
        guard try recipients.inbox(of: user) == notification.inbox,
            let (storedAt, rev) = try row(of: notification)
        else { return nil }
        let middle = firstName(storedAt + Self.slack)
        let before = try look(.back, from: middle, for: notification)
        var (found, isWhole) = (Array(before.found.reversed()), before.isWhole)
        // What never changed has taken nothing in.
        if rev > 1 || found.isEmpty {
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

    private func row(of notification: NotificationID) throws -> (storedAt: Timestamp, rev: Int64)? {
        let find = try db.cachedStatement(
            sql: "SELECT \(NotificationTable.storingTime), rev FROM notification WHERE inbox = ? AND id = ?")
        return try find.first([notification.inbox, notification.sequence]) { row in
            (Timestamp(milliseconds: try row.int(0)), try row.int(1))
        }
    }

    // MARK: Looking

    private enum Direction: String {
        /// Up to the event that made the notification.
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

    /// - Returns: what was found, in the order of the look, and whether it went as far as there can be anything.
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
                let people = try TrailedPerson.people(of: verdicts)
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

    /// By its first page, which tells about the event.
    private func event(_ name: String) throws -> TrailedEvent? {
        let find = try db.cachedStatement(
            sql: "SELECT \(TrailedEvent.columns) FROM trail_event WHERE event = ? ORDER BY page LIMIT 1")
        return try find.first([name]) { try TrailedEvent($0) }
    }
}
