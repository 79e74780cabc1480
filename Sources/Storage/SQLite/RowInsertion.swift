import GRDB

/// Inserts rows into one table, several by one statement where several come together.
///
/// To begin and end a statement costs SQLite as much as to write one or two of such rows; and within one it finds the end of
/// a table at once where the row before went. Belongs to the connection's queue.
final class RowInsertion {
    /// So many rows at once: 2 to this power.
    private static let largestPower = 4
    /// What waits for its statement may as well be written when there are so many of them.
    static let mostRows = 1 << largestPower

    private let db: Database
    private let table: String
    private let columns: String
    private let values: String
    /// By power of two; each is prepared when it is first needed.
    private var statements = [DirectStatement?](repeating: nil, count: RowInsertion.largestPower + 1)

    /// - Parameters:
    ///   - columns: their names, separated by commas.
    ///   - values: those of one row, separated by commas, with a `?` for each argument.
    init(_ db: Database, into table: String, _ columns: String, values: String) {
        (self.db, self.table, self.columns, self.values) = (db, table, columns, values)
    }

    /// - Parameter bind: gives the arguments of one row.
    func insert<Row>(_ rows: [Row], _ bind: (Row, inout StatementArgumentWriter) -> Void) throws {
        var start = rows.startIndex
        while start < rows.endIndex {
            let power = min(Self.largestPower, Int.bitWidth - 1 - (rows.endIndex - start).leadingZeroBitCount)
            let end = start + 1 << power
            try statement(power).execute { arguments in
                for place in start..<end { bind(rows[place], &arguments) }
            }
            start = end
        }
    }

    private func statement(_ power: Int) throws -> DirectStatement {
        if let known = statements[power] { return known }
        let rows = Array(repeating: "(\(values))", count: 1 << power).joined(separator: ", ")
        // OR FAIL, since what fails is undone with the whole transaction: for undoing the statement alone SQLite would first
        // copy each page that it changes.
        let statement = try DirectStatement(
            db, sql: "INSERT OR FAIL INTO \(table) (\(columns)) VALUES \(rows)", roomBytes: 2_048 << power)
        statements[power] = statement
        return statement
    }
}
