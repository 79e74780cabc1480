package import Inbox
package import Store

/// Tells one person's trail, as of one moment.
///
/// An index from people to events would cost for every recipient of every event. So events are searched from the newest
/// back, and only a certain distance at a time.
package struct PersonalTrails {
    /// About two million recipients.
    private static let maximumBytes = 4 << 20

    let reads: any TrailReads
    /// How many rows are read, beside the rest of the last event's.
    let maximumRows: Int

    /// Nil for a person without an inbox.
    package func trail(of user: UserID, before: String?, limit: Int) throws -> PersonalTrail? {
        guard let inbox = try reads.inbox(of: user) else { return nil }
        var found: [(event: TrailedEvent, people: [TrailedPerson])] = []
        var (rows, bytes) = (0, 0)
        var last: String?
        var isAtEnd = true
        try reads.forEachRow(before: before) { row in
            guard let row else {
                rows += 1
                return true
            }
            let event = row.event
            // Ends only between two events, as a cursor names an event with all its pages.
            if event.id != last, found.count >= limit || rows >= maximumRows || bytes >= Self.maximumBytes {
                isAtEnd = false
                return false
            }
            let people = TrailedPerson.people(of: row.verdicts).filter { $0.inbox == inbox }
            if event.id == found.last?.event.id {
                // The first page, which comes last here, tells about the event.
                found[found.count - 1] = (event, people + found[found.count - 1].people)
            } else if !people.isEmpty {
                found.append((event, people))
            }
            (last, rows, bytes) = (event.id, rows + 1, bytes + row.size)
            return true
        }
        let fates = RecipientFate(reads: reads)
        let entries = try found.map { event, people in
            PersonalTrail.Entry(
                event: event,
                decisions: try people.map { try fates.recipient($0, since: event.acceptedAt) })
        }
        return PersonalTrail(entries: entries, next: isAtEnd ? nil : last)
    }
}
