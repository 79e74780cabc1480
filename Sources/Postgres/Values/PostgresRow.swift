import CPostgres

/// One row of a result. Columns count from 0.
///
/// Each accessor throws if the column is not there, is NULL (those without `OrNil`), or has another type.
package struct PostgresRow {
    let result: PostgresResult
    let row: Int32

    /// `int2`, `int4` or `int8`.
    package func int64(_ column: Int) throws(PostgresFailure) -> Int64 { try present(int64OrNil(column), column) }

    package func int64OrNil(_ column: Int) throws(PostgresFailure) -> Int64? {
        guard let bytes = try bytes(at: column) else { return nil }
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        default: throw Self.unexpected(column, "no integer")
        }
    }

    /// `int2` or `int4`.
    package func int32(_ column: Int) throws(PostgresFailure) -> Int32 { try present(int32OrNil(column), column) }

    package func int32OrNil(_ column: Int) throws(PostgresFailure) -> Int32? {
        guard let number = try int64OrNil(column) else { return nil }
        guard let small = Int32(exactly: number) else { throw Self.unexpected(column, "beyond 32 bits") }
        return small
    }

    package func bool(_ column: Int) throws(PostgresFailure) -> Bool { try present(boolOrNil(column), column) }

    package func boolOrNil(_ column: Int) throws(PostgresFailure) -> Bool? {
        guard let bytes = try bytes(at: column) else { return nil }
        guard bytes.count == 1 else { throw Self.unexpected(column, "no boolean") }
        return bytes[0] != 0
    }

    /// `text`, `varchar` or `name`.
    package func text(_ column: Int) throws(PostgresFailure) -> String { try present(textOrNil(column), column) }

    package func textOrNil(_ column: Int) throws(PostgresFailure) -> String? {
        guard let bytes = try bytes(at: column) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    package func bytes(_ column: Int) throws(PostgresFailure) -> [UInt8] { try present(bytesOrNil(column), column) }

    package func bytesOrNil(_ column: Int) throws(PostgresFailure) -> [UInt8]? {
        guard let bytes = try bytes(at: column) else { return nil }
        return [UInt8](bytes)
    }

    // MARK: Cells

    private func bytes(at column: Int) throws(PostgresFailure) -> UnsafeRawBufferPointer? {
        let answer = result.answer
        guard column >= 0, column < Int(PQnfields(answer)) else { throw Self.unexpected(column, "not there") }
        let column = Int32(column)
        guard PQgetisnull(answer, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(answer, row, column), count: Int(PQgetlength(answer, row, column)))
    }

    private func present<Value>(_ value: Value?, _ column: Int) throws(PostgresFailure) -> Value {
        guard let value else { throw Self.unexpected(column, "NULL") }
        return value
    }

    private static func unexpected(_ column: Int, _ what: String) -> PostgresFailure {
        PostgresFailure(.other, "column \(column) of the result is \(what)")
    }
}
