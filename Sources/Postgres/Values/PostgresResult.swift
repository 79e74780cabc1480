import CPostgres

/// The rows that a statement gave, in the memory where libpq put them.
///
/// It outlives its connection, and stays on the connection's queue.
package final class PostgresResult {
    let answer: OpaquePointer
    /// How many rows it has.
    package let count: Int

    /// - Parameter answer: a `PGresult`, which is cleared with this object.
    init(_ answer: OpaquePointer) {
        self.answer = answer
        count = Int(PQntuples(answer))
    }

    deinit { PQclear(answer) }

    /// How many rows the statement inserted, changed, deleted or gave.
    package var changedRows: Int { Int(String(cString: PQcmdTuples(answer))) ?? 0 }

    /// What the server says it did: `COMMIT`, `INSERT 0 5`.
    var tag: String { String(cString: PQcmdStatus(answer)) }
}

extension PostgresResult: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    /// - Parameter row: below ``count``.
    package subscript(row: Int) -> PostgresRow {
        precondition(0..<count ~= row)
        return PostgresRow(result: self, row: Int32(row))
    }
}
