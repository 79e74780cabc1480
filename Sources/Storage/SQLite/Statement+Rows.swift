import GRDB

extension Statement {
    /// Runs the query and reads its first row; nil without one. `body` must not run the same statement.
    func first<Value>(_ arguments: StatementArguments, _ body: (Row) throws -> Value) throws -> Value? {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        // The cursor resets the statement when it goes, and with it the row that `body` reads.
        return try withExtendedLifetime(rows) { try rows.next().map(body) }
    }

    /// Runs the query and reads all rows. `body` must not run the same statement.
    func all<Value>(_ arguments: StatementArguments, _ body: (Row) throws -> Value) throws -> [Value] {
        let rows = try Row.fetchCursor(self, arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() { values.append(try body(row)) }
        return values
    }
}

/// Columns by place; a value of another type, which only a damaged file can hold, is an error and no trap.
extension Row {
    func int(_ index: Int) throws -> Int64 { try decode(Int64.self, atIndex: index) }
    func bool(_ index: Int) throws -> Bool { try decode(Int64.self, atIndex: index) != 0 }
    func text(_ index: Int) throws -> String { try decode(String.self, atIndex: index) }

    /// The bytes of a blob; nil for NULL.
    func bytes(_ index: Int) throws -> [UInt8]? { try withUnsafeData(atIndex: index) { $0.map { [UInt8]($0) } } }
}
