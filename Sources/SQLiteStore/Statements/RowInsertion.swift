import GRDB

/// Inserts rows into one table, with one statement for several.
///
/// To begin and end a statement costs SQLite as much as writing one or two such rows. Within one, it finds the end of a
/// table at once, where the last row went. Belongs to the connection's queue.
final class RowInsertion {
    /// How many rows one statement inserts: once so many wait, waiting longer saves little.
    static let mostRows = 16

    private let db: Database
    private let table: String
    private let columns: String
    private let values: String
    /// By the number of rows, less one; each is prepared when first needed.
    private var statements = [Statement?](repeating: nil, count: RowInsertion.mostRows)
    /// Shared, as one statement runs at a time.
    private let room = ArgumentRoom(capacity: 2_048 * RowInsertion.mostRows)

    /// - Parameters:
    ///   - columns: their names, separated by commas. If they are the table's first columns in its order, SQLite puts
    ///     each value straight into the row instead of copying it there.
    ///   - values: those of one row, separated by commas, with a `?` for each argument.
    init(_ db: Database, into table: String, _ columns: String, values: String) {
        (self.db, self.table, self.columns, self.values) = (db, table, columns, values)
    }

    /// - Parameter bind: gives the arguments of one row, which it reads in place: a copy would count references to a
    ///   dozen things.
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

    private func statement(rows count: Int) throws -> Statement {
        if let known = statements[count - 1] { return known }
        let rows = Array(repeating: "(\(values))", count: count).joined(separator: ", ")
        // OR FAIL, since the whole transaction is undone after a failure. To undo the statement alone, SQLite would
        // first copy each page that it changes.
        let statement = try Statement(
            db, sql: "INSERT OR FAIL INTO \(table) (\(columns)) VALUES \(rows)", room: room)
        statements[count - 1] = statement
        return statement
    }
}
