import Deliveries
import GRDB

/// Steps through the unread rows of one inbox, the highest place first, and skips the stretches of ``ReadSpanTable``.
struct UnreadRows {
    /// After how many read rows a stretch is looked up: for a short one, the look-up costs more than it saves.
    private static let patience = 16

    let db: Database
    let inbox: Int64

    /// - Parameters:
    ///   - statement: selects rows of a span (`?2` to `?3`) in the list's order, read ones included. Its first columns
    ///     are ``NotificationRecord/columns``.
    ///   - arguments: those for a span.
    ///   - visit: gets an unread row and returns whether to go on. Must not run the statement.
    func forEach(
        in span: ListSpan, _ statement: Statement, _ arguments: (ListSpan) -> Arguments,
        _ visit: (StoredRow) throws -> Bool
    ) throws {
        var rest = span
        while let place = try readPlace(after: statement, arguments(rest), visit) { rest.upTo = place - 1 }
    }

    /// Visits rows up to a stretch of read ones, and returns the stretch's lowest place; nil at the end of the span.
    private func readPlace(
        after statement: Statement, _ arguments: Arguments, _ visit: (StoredRow) throws -> Bool
    ) throws -> Int64? {
        var passed = 0
        var found: Int64?
        try statement.visit(arguments) { row in
            var checked = CheckedRow(row)
            if !checked.flag(NotificationRecord.isReadColumn) {
                passed = 0
                return try visit(row)
            }
            passed += 1
            if passed % Self.patience == 0 { found = try start(of: checked.count(NotificationRecord.placeColumn)) }
            return found == nil
        }
        return found
    }

    /// The lowest place of the stretch that holds a read row; nil if no stretch does.
    private func start(of place: Int64) throws -> Int64? {
        let span = try db.statement(sql: ReadSpan.reachingUp).first([inbox, place], ReadSpan.init)??.places
        return span.flatMap { $0.contains(place) ? $0.lowerBound : nil }
    }
}
