import GRDB
import GRDBSQLite

/// The row that a statement stands on; valid until the statement moves on. Its columns are named by their places.
struct StoredRow {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) { self.statement = statement }

    // A value of another type, which only a damaged file can hold, is an error and no trap.

    func int(_ index: Int) throws -> Int64 {
        guard let value = try optionalInt(index) else { throw DamagedColumn() }
        return value
    }

    func bool(_ index: Int) throws -> Bool { try int(index) != 0 }

    func text(_ index: Int) throws -> String {
        guard let value = try optionalText(index) else { throw DamagedColumn() }
        return value
    }

    func optionalInt(_ index: Int) throws -> Int64? {
        // One access for type and value instead of two. The value is valid as long as the row, as nothing else uses the
        // connection meanwhile.
        let value = sqlite3_column_value(statement, CInt(index))
        return switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: sqlite3_value_int64(value)
        case SQLITE_NULL: nil
        default: throw DamagedColumn()
        }
    }

    /// Always valid UTF-8, whatever the file holds.
    func optionalText(_ index: Int) throws -> String? {
        switch sqlite3_column_type(statement, CInt(index)) {
        case SQLITE_TEXT: String(decoding: octets(index), as: UTF8.self)
        case SQLITE_NULL: nil
        default: throw DamagedColumn()
        }
    }

    /// As ``optionalText(_:)``, but nil for octets that are not UTF-8.
    func validText(_ index: Int) throws -> String? {
        switch sqlite3_column_type(statement, CInt(index)) {
        case SQLITE_TEXT: String(validating: octets(index), as: UTF8.self)
        case SQLITE_NULL: nil
        default: throw DamagedColumn()
        }
    }

    /// The first column as text, whatever it holds.
    var name: String {
        switch sqlite3_column_type(statement, 0) {
        case SQLITE_INTEGER: String(sqlite3_column_int64(statement, 0))
        case SQLITE_TEXT: String(decoding: octets(0), as: UTF8.self)
        default: ""
        }
    }

    /// The bytes of a blob; nil for NULL.
    func bytes(_ index: Int) throws -> [UInt8]? {
        switch sqlite3_column_type(statement, CInt(index)) {
        case SQLITE_BLOB: [UInt8](octets(index))
        case SQLITE_NULL: nil
        default: throw DamagedColumn()
        }
    }

    /// The column's number, or the octets of its text or blob; neither for NULL. Nothing is thrown, as this reads every value
    /// of a store.
    func anyValue(_ index: Int) -> (number: Int64?, octets: [UInt8]?) {
        switch sqlite3_column_type(statement, CInt(index)) {
        case SQLITE_INTEGER: (sqlite3_column_int64(statement, CInt(index)), nil)
        case SQLITE_TEXT, SQLITE_BLOB: (nil, [UInt8](octets(index)))
        default: (nil, nil)
        }
    }

    /// The octets of a text or blob, in SQLite's memory until the statement moves on.
    private func octets(_ index: Int) -> UnsafeRawBufferPointer {
        // In this order: SQLite counts the bytes that it gave last.
        let start = sqlite3_column_blob(statement, CInt(index))
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, CInt(index))))
    }
}
