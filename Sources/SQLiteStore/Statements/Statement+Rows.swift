import GRDB

extension Statement {
    /// Runs the query and reads its first row; nil without one. `body` must not run the same statement.
    func first<Value>(_ arguments: StatementArguments, _ body: (StoredRow) throws -> Value) throws -> Value? {
        let rows = try StoredRow.fetchCursor(self, arguments: arguments)
        // The cursor resets the statement when it is released, and with it the row that `body` reads.
        return try withExtendedLifetime(rows) { try rows.next().map(body) }
    }

    /// Runs the query and reads all rows. `body` must not run the same statement.
    func all<Value>(_ arguments: StatementArguments, _ body: (StoredRow) throws -> Value) throws -> [Value] {
        let rows = try StoredRow.fetchCursor(self, arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(try body(row)) }
        return values
    }
}
