import GRDB

/// A stretch of an inbox's list in which nothing is unread, by the places of its first and last row; see
/// ``ReadSpanTable``.
struct ReadSpan {
    static let columns = "inbox, first, last, seal"
    /// The lowest stretch of an inbox that reaches up to a place.
    static let reachingUp = "SELECT \(columns) FROM read_span WHERE inbox = ? AND last >= ? ORDER BY last LIMIT 1"

    let places: ClosedRange<Int64>

    /// Reads the ``columns``. Nil for a row that does not hold what was written: it could hide unread rows, and without
    /// it they are only found later.
    init?(_ row: StoredRow) {
        var row = CheckedRow(row)
        let (inbox, first, last) = (row.count(0), row.count(1), row.count(2))
        guard row.count(3) == Self.seal(inbox, first, last), !row.isDamaged, first <= last else { return nil }
        places = first...last
    }

    /// By it a row is known whose bits have changed.
    static func seal(_ inbox: Int64, _ first: Int64, _ last: Int64) -> Int64 {
        ListMark.of("\(inbox) \(first) \(last)")
    }
}
