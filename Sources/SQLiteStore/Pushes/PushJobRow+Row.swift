import Deliveries
import GRDB
import Inbox

extension PushJobRow {
    private static let ordinary = "place, number, failures, expiry, deadline, collapse, content"
    static let columns = "\(ordinary), fold_key, fold, withdrawn, is_shown, shown_as"
    /// In place of the columns that few rows use, whether this row uses any of them.
    static let plainColumns = """
        \(ordinary), is_shown OR coalesce(fold_key, fold, withdrawn, shown_as) IS NOT NULL
        """

    /// - Parameter row: of ``columns``.
    init(_ row: StoredRow) throws {
        let place = try PushTurns.Place(row)
        var row = CheckedRow(row)
        let (foldKey, fold) = (row.optionalText(7), row.optionalCount(8))
        let withdrawn = PushJobTable.ids(row.optionalText(9))
        let (isShown, shownAs) = (row.flag(10), row.optionalText(11))
        let (failures, expiry, deadline, collapse, content) = Self.ordinary(&row)
        self.init(
            place: place, failures: failures, expiry: expiry, deadline: deadline, newContent: content,
            isDamaged: row.isDamaged, collapse: collapse, foldKey: foldKey, fold: fold, withdrawn: withdrawn,
            isShown: isShown, shownAs: shownAs)
    }

    /// Nil if the row uses other columns.
    /// - Parameter row: of ``plainColumns``.
    init?(plain row: StoredRow) throws {
        if try row.bool(7) { return nil }
        let place = try PushTurns.Place(row)
        var row = CheckedRow(row)
        let (failures, expiry, deadline, collapse, content) = Self.ordinary(&row)
        self.init(
            place: place, failures: failures, expiry: expiry, deadline: deadline, newContent: content,
            isDamaged: row.isDamaged, collapse: collapse)
    }

    private static func ordinary(
        _ row: inout CheckedRow
    ) -> (failures: Int, expiry: Timestamp, deadline: Timestamp?, collapse: String?, content: Int64?) {
        // More than any push is tried, and few enough to calculate with.
        let failures = Int(min(row.count(2), 1_000))
        return (failures, row.time(3), row.optionalTime(4), row.optionalText(5), row.optionalCount(6))
    }
}

extension WalkedJob {
    /// - Parameter row: of ``PushJobRow/plainColumns``.
    init(_ row: StoredRow) throws { self.init(place: try PushTurns.Place(row), row: try PushJobRow(plain: row)) }
}

extension PushTurns.Place {
    /// - Parameter row: begins with `place` and `number`.
    init(_ row: StoredRow) throws {
        self.init(
            position: QueuePlace(rawValue: try row.int(0)), number: PushJobNumber(rawValue: try row.int(1)))
    }
}
