import GRDB
import Inbox

/// Reads one person's trail, as of the snapshot that `db` is in.
///
/// Events do not say in an index whom they were about: every recipient of every event would pay for that. So events are
/// looked through from the newest back, and no further than a certain distance at a time.
struct PersonalTrailReader {
    /// About half as many recipients.
    private static let maximumBytes = 4 << 20

    private let db: Database
    private let maximumRows: Int
    private let recipients: TrailedRecipientReader

    /// - Parameter maximumRows: so many rows are looked at, and those of the last event to the end.
    init(_ db: Database, _ jobs: PushJobIndex, maximumRows: Int) throws {
        self.db = db
        self.maximumRows = maximumRows
        recipients = try TrailedRecipientReader(db, jobs)
    }

    /// Nil for somebody who has no inbox.
    func trail(of user: UserID, before: String?, limit: Int) throws -> PersonalTrail? {
        guard let inbox = try recipients.inbox(of: user) else { return nil }
        // Behind all ids: no text is greater than a blob.
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
            let event = try TrailedEvent(row)
            // Only between two events: a cursor names one, with all of its pages.
            if event.id != last, found.count >= limit || rows >= maximumRows || bytes >= Self.maximumBytes {
                isAtEnd = false
                break
            }
            guard let blob = try row.bytes(TrailedEvent.columnCount), let verdicts = TrailVerdicts(bytes: blob) else {
                throw DamagedRow(table: "trail_event")
            }
            let people = try TrailedPerson.people(of: verdicts).filter { $0.inbox == inbox }
            if event.id == found.last?.event.id {
                // The first page, which comes last, tells about the event.
                found[found.count - 1] = (event, people + found[found.count - 1].people)
            } else if !people.isEmpty {
                found.append((event, people))
            }
            (last, rows, bytes) = (event.id, rows + 1, bytes + blob.count)
        }
        let entries = try found.map { event, people in
            PersonalTrail.Entry(
                event: event,
                decisions: try people.map { try recipients.recipient($0, since: event.acceptedAt) })
        }
        return PersonalTrail(entries: entries, next: isAtEnd ? nil : last)
    }
}
