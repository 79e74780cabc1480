import GRDB

/// The table `read_span`: stretches of an inbox's list without unread rows, each as long as possible.
///
/// Readers of unread rows skip a stretch in one step (``ListReader``). An index of unread rows could do that, too, but
/// every new notification would be written to it. With 256 events under way, each for another person, that took 12 % of
/// a notification's CPU. Stretches are written only when a notification is read or removed.
///
/// A stretch stays true, since rows become unread only at places above all others. A damaged one counts as none
/// (``ReadSpan``).
final class ReadSpanTable {
    private let above: Statement
    private let below: Statement
    private let unread: Statement
    private let remove: Statement
    private let insert: Statement
    private let erase: Statement

    init(_ db: Database) throws {
        above = try db.statement(sql: ReadSpan.reachingUp)
        below = try db.statement(
            sql: "SELECT \(ReadSpan.columns) FROM read_span WHERE inbox = ? AND last < ? ORDER BY last DESC LIMIT 1")
        unread = try db.statement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM notification
                    WHERE inbox = ?1 AND place = id AND id > ?2 AND id < ?3 AND is_read = 0)
                OR EXISTS (SELECT 1 FROM notification INDEXED BY notification_raised
                    WHERE inbox = ?1 AND place <> id AND place > ?2 AND place < ?3 AND is_read = 0)
                """)
        remove = try db.statement(sql: "DELETE FROM read_span WHERE inbox = ? AND last BETWEEN ? AND ?")
        insert = try db.statement(sql: "INSERT INTO read_span (\(ReadSpan.columns)) VALUES (?, ?, ?, ?)")
        erase = try db.statement(sql: "DELETE FROM read_span WHERE inbox = ?")
    }

    /// - Parameter places: those of rows that are read now, in any order.
    func add(_ places: [Int64], inbox: Int64) throws {
        let places = places.sorted()
        guard var span = places.first.map({ $0...$0 }) else { return }
        for place in places.dropFirst() {
            if try hasUnread(between: span.upperBound, place, inbox) {
                try add(span, inbox)
                span = place...place
            } else {
                span = span.lowerBound...place
            }
        }
        try add(span, inbox)
    }

    /// Joins the stretches on both sides of a place without an unread row.
    func join(around place: Int64, inbox: Int64) throws {
        guard let above = try span(above, place, inbox), above.lowerBound > place,
            let below = try span(below, place, inbox),
            try !hasUnread(between: below.upperBound, above.lowerBound, inbox)
        else { return }
        try write(below.lowerBound...above.upperBound, inbox)
    }

    /// Removes all stretches of a deleted inbox.
    func erase(inbox: Int64) throws { try erase.execute(arguments: [inbox]) }

    private func add(_ new: ClosedRange<Int64>, _ inbox: Int64) throws {
        var (first, last) = (new.lowerBound, new.upperBound)
        if let above = try span(above, last, inbox) {
            if above.lowerBound <= first { return }
            let touches = try above.lowerBound <= last || !hasUnread(between: last, above.lowerBound, inbox)
            if touches { last = above.upperBound }
        }
        if let below = try span(below, first, inbox), try !hasUnread(between: below.upperBound, first, inbox) {
            first = below.lowerBound
        }
        try write(first...last, inbox)
    }

    /// Writes a stretch, and removes all that lie within it.
    private func write(_ span: ClosedRange<Int64>, _ inbox: Int64) throws {
        try remove.execute(arguments: [inbox, span.lowerBound, span.upperBound])
        let (first, last) = (span.lowerBound, span.upperBound)
        try insert.execute(arguments: [inbox, first, last, ReadSpan.seal(inbox, first, last)])
    }

    private func span(_ statement: Statement, _ place: Int64, _ inbox: Int64) throws -> ClosedRange<Int64>? {
        try statement.first([inbox, place], ReadSpan.init)??.places
    }

    /// Whether an unread row stands between two places.
    private func hasUnread(between low: Int64, _ high: Int64, _ inbox: Int64) throws -> Bool {
        try unread.first([inbox, low, high]) { try $0.bool(0) } ?? false
    }
}
