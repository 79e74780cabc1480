import GRDB
import Store

/// Names a table's rows for the operator.
struct RowNaming {
    let table: String
    /// The part of the key that all rows of the query share.
    var scope: Int64?

    /// Names a row whose first column is the rest of its key.
    func row(_ row: StoredRow) -> DamagedRow {
        DamagedRow(table: table, key: (scope.map { "\($0), " } ?? "") + row.name)
    }
}

extension Statement {
    /// Runs the query and reads all rows except damaged ones, which it reports to `damage`.
    ///
    /// - Parameters:
    ///   - naming: the query's first column is the key, or the rest of it.
    ///   - limit: how many rows are read at most, beside the damaged ones.
    func sound<Value>(
        _ arguments: Arguments, of naming: RowNaming, _ damage: DamageWatch, limit: Int = .max,
        _ body: (StoredRow) throws -> Value
    ) throws -> [Value] {
        guard limit > 0 else { return [] }
        var values: [Value] = []
        try visit(arguments) { row in
            if let value = try damage.sound(naming.row(row), { try body(row) }) { values.append(value) }
            return values.count < limit
        }
        return values
    }
}

extension DamageWatch {
    /// The result of `read`; nil for damage, which is noted.
    func sound<Value>(_ row: @autoclosure () -> DamagedRow, _ read: () throws -> Value) throws -> Value? {
        do { return try read() } catch let error where !(error is DatabaseError) {
            if let known = error as? DamagedRow, !known.key.isEmpty { leaveOut(known) } else { leaveOut(row()) }
            return nil
        }
    }
}
