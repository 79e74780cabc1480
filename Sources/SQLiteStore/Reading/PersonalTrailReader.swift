import Deliveries
import GRDB
import Inbox
import Push
import Store

/// Reads one person's trail, as of the snapshot that `db` is in.
///
/// An index from people to events would cost for every recipient of every event. So events are searched from the newest
/// back, and only a certain distance at a time.
struct PersonalTrailReader {
    /// About two million recipients.
    private static let maximumBytes = 4 << 20

    private let db: Database
    private let maximumRows: Int
    private let recipients: TrailedRecipientReader
    private let damage: DamageWatch

    /// - Parameters:
    ///   - damage: hears of rows that cannot be read.
    ///   - maximumRows: how many rows are read, beside the rest of the last event's.
    init(_ db: Database, _ jobs: PushJobIndex, _ providers: ProviderList, _ damage: DamageWatch, maximumRows: Int)
        throws
    {
        (self.db, self.damage) = (db, damage)
        self.maximumRows = maximumRows
        recipients = try TrailedRecipientReader(db, jobs, providers, damage)
    }

    /// Nil for a person without an inbox.
    func trail(of user: UserID, before: String?, limit: Int) throws -> PersonalTrail? {
        guard let inbox = try recipients.inbox(of: user) else { return nil }
        // Without `before`, from the end: no text is greater than a blob.
        let find = try db.cachedStatement(
            sql: """
                SELECT \(TrailedEvent.columns), verdicts FROM trail_event WHERE event < coalesce(?, x'FF')
                ORDER BY event DESC, page DESC
                """)
        var found: [(event: TrailedEvent, people: [TrailedPerson])] = []
        var (rows, bytes) = (0, 0)
        var last: String?
        var isAtEnd = true
        let cursor = try StoredRow.fetchCursor(find, arguments: [before])
        while let row = try cursor.next() {
            let read = try damage.sound(RowNaming(table: "trail_event").row(row)) { try Self.read(row) }
            guard let (event, all, size) = read else {
                rows += 1
                continue
            }
            // Ends only between two events, as a cursor names an event with all its pages.
            if event.id != last, found.count >= limit || rows >= maximumRows || bytes >= Self.maximumBytes {
                isAtEnd = false
                break
            }
            let people = all.filter { $0.inbox == inbox }
            if event.id == found.last?.event.id {
                // The first page, which comes last here, tells about the event.
                found[found.count - 1] = (event, people + found[found.count - 1].people)
            } else if !people.isEmpty {
                found.append((event, people))
            }
            (last, rows, bytes) = (event.id, rows + 1, bytes + size)
        }
        let entries = try found.map { event, people in
            PersonalTrail.Entry(
                event: event,
                decisions: try people.map { try recipients.recipient($0, since: event.acceptedAt) })
        }
        return PersonalTrail(entries: entries, next: isAtEnd ? nil : last)
    }

    private static func read(_ row: StoredRow) throws -> (TrailedEvent, people: [TrailedPerson], bytes: Int) {
        guard let blob = try row.bytes(TrailedEvent.columnCount), let verdicts = TrailVerdicts(bytes: blob) else {
            throw RowNaming(table: "trail_event").row(row)
        }
        return (try TrailedEvent(row), TrailedPerson.people(of: verdicts), blob.count)
    }
}
