import GRDB

/// Inserts rows into one table, several by one statement where several come together.
///
/// To begin and end a statement costs SQLite as much as to write one or two of such rows; and within one it finds the
/// end of a table at once where the row before went. Belongs to the connection's queue.
final class RowInsertion {
    /// So many rows at once: what waits for its statement may as well be written when there are so many of them.
    static let mostRows = 16

    private let db: Database
    private let table: String
    private let columns: String
    private let values: String
    /// By the number of rows, less one; each is prepared when it is first needed.
    private var statements = [DirectStatement?](repeating: nil, count: RowInsertion.mostRows)
    /// Of all of them, as one runs at a time.
    private let room = ArgumentRoom(capacity: 2_048 * RowInsertion.mostRows)

    /// - Parameters:
    ///   - columns: their names, separated by commas. In the table's order, from the first one on and with no other
    ///     between them, SQLite puts each value where the row is made; else it copies it there.
    ///   - values: those of one row, separated by commas, with a `?` for each argument.
    init(_ db: Database, into table: String, _ columns: String, values: String) {
        (self.db, self.table, self.columns, self.values) = (db, table, columns, values)
    }

    /// - Parameter bind: gives the arguments of one row, which it looks at where it lies: a row has a dozen things that
    ///   copying it would count.
    func insert<Row>(_ rows: [Row], _ bind: (UnsafePointer<Row>, inout StatementArgumentWriter) -> Void) throws {
        try rows.withUnsafeBufferPointer { rows in
            guard var next = rows.baseAddress else { return }
            let end = next + rows.count
            while next < end {
                let part = next..<(next + min(end - next, Self.mostRows))
                try statement(rows: part.count).execute { arguments in
                    for row in part { bind(row, &arguments) }
                }
                next = part.upperBound
            }
        }
    }

    private func statement(rows count: Int) throws -> DirectStatement {
        if let known = statements[count - 1] { return known }
        let rows = Array(repeating: "(\(values))", count: count).joined(separator: ", ")
        // OR FAIL, since what fails is undone with the whole transaction: for undoing the statement alone SQLite would
        // first copy each page that it changes.
        let statement = try DirectStatement(
            db, sql: "INSERT OR FAIL INTO \(table) (\(columns)) VALUES \(rows)", room: room)
        statements[count - 1] = statement
        return statement
    }
}
