import Deliveries
import GRDB

/// A stretch of an inbox's list without unread rows, by the places of its first and last row; see ``ReadSpanTable``.
struct ReadSpan {
    static let columns = "inbox, first, last, seal"
    /// An inbox's lowest stretch that ends at or above a place.
    static let reachingUp = "SELECT \(columns) FROM read_span WHERE inbox = ? AND last >= ? ORDER BY last LIMIT 1"

    let places: ClosedRange<Int64>

    /// Reads the ``columns``; nil for a damaged row. A damaged row could hide unread rows; without it, they are only
    /// found more slowly.
    init?(_ row: StoredRow) {
        var row = CheckedRow(row)
        let (inbox, first, last) = (row.count(0), row.count(1), row.count(2))
        guard row.count(3) == Self.seal(inbox, first, last), !row.isDamaged, first <= last else { return nil }
        places = first...last
    }

    /// A checksum that reveals a row with changed bits.
    static func seal(_ inbox: Int64, _ first: Int64, _ last: Int64) -> Int64 {
        ListMark.of("\(inbox) \(first) \(last)")
    }
}
