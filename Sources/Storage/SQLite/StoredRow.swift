import Foundation
import GRDB

/// The row that a statement stands on; good until the statement moves on.
///
/// To GRDB it passes for the row's first column: GRDB's own `Row` first makes a dictionary of the column names, and that
/// takes longer than everything else about a row.
struct StoredRow: StatementColumnConvertible, DatabaseValueConvertible {
    private let statement: SQLiteStatement

    init(sqliteStatement: SQLiteStatement, index: CInt) { statement = sqliteStatement }

    static func fromStatement(_ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt) -> Self? {
        Self(sqliteStatement: sqliteStatement, index: index)
    }

    /// Never asked for: a row is nothing that could be stored or kept.
    var databaseValue: DatabaseValue { .null }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? { nil }

    // MARK: Columns by place

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
        switch value(index) {
        case .int64(let value): value
        case .null: nil
        case .double, .string, .blob: throw DamagedColumn()
        }
    }

    func optionalText(_ index: Int) throws -> String? {
        switch value(index) {
        case .string(let value): value
        case .null: nil
        case .int64, .double, .blob: throw DamagedColumn()
        }
    }

    /// The bytes of a blob; nil for NULL.
    func bytes(_ index: Int) throws -> [UInt8]? {
        switch value(index) {
        case .blob(let value): [UInt8](value)
        case .null: nil
        case .int64, .double, .string: throw DamagedColumn()
        }
    }

    private func value(_ index: Int) -> DatabaseValue.Storage {
        DatabaseValue(sqliteStatement: statement, index: CInt(index)).storage
    }
}

/// A column holds a value of another type than was written.
struct DamagedColumn: Error {}
