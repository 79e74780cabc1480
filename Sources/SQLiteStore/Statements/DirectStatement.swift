import GRDB
import GRDBSQLite

/// A prepared statement that runs through SQLite itself, for all that every event runs.
///
/// GRDB boxes each argument, checks the list against the statement and asks for observers: about 2,500 instructions a
/// run, as many as SQLite takes for a short row. Belongs to the connection's queue, and must be gone before the
/// connection closes.
struct DirectStatement {
    private let statement: Statement
    private let room: ArgumentRoom

    /// Takes the statement from the connection's cache, so that a rested writer prepares nothing again. A statement
    /// that has failed may be used again, since each run ends with a reset.
    ///
    /// - Parameters:
    ///   - sql: no other statement that runs at the same time may have the same text.
    ///   - room: shared only with statements that never run at the same time; nil for a room of its own.
    init(_ db: Database, sql: String, room: ArgumentRoom? = nil) throws {
        statement = try db.cachedStatement(sql: sql)
        self.room = room ?? ArgumentRoom(capacity: 4_096)
    }

    /// Runs it to its end.
    ///
    /// - Parameter bind: must give all arguments, in order.
    /// - Throws: `DatabaseError`, which names no argument.
    func execute(_ bind: (inout StatementArgumentWriter) -> Void = { _ in }) throws {
        let handle = begin(bind)
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_DONE: return
            case SQLITE_ROW: break
            case let code: throw error(code)
            }
        }
    }

    /// How many rows its last run has changed, if nothing else has run since.
    var changedRows: Int {
        sqlite3_db_handle(statement.sqliteStatement).map { Int(sqlite3_changes($0)) } ?? 0
    }

    /// Runs the query and reads its first row; nil without one. `body` must not run the same statement.
    func first<Value>(
        _ bind: (inout StatementArgumentWriter) -> Void, _ body: (StoredRow) throws -> Value
    ) throws -> Value? {
        let handle = begin(bind)
        defer { sqlite3_reset(handle) }
        switch sqlite3_step(handle) {
        case SQLITE_DONE: return nil
        case SQLITE_ROW: return try body(StoredRow(sqliteStatement: handle, index: 0))
        case let code: throw error(code)
        }
    }

    /// Runs the query and reads all its rows. `body` must not run the same statement.
    func all<Value>(
        _ bind: (inout StatementArgumentWriter) -> Void, _ body: (StoredRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEach(bind) { values.append(try body($0)) }
        return values
    }

    /// Runs the query and passes all its rows to `body`, which must not run the same statement.
    func forEach(_ bind: (inout StatementArgumentWriter) -> Void, _ body: (StoredRow) throws -> Void) throws {
        let handle = begin(bind)
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_DONE: return
            case SQLITE_ROW: try body(StoredRow(sqliteStatement: handle, index: 0))
            case let code: throw error(code)
            }
        }
    }

    private func begin(_ bind: (inout StatementArgumentWriter) -> Void) -> SQLiteStatement {
        let handle = statement.sqliteStatement
        var arguments = StatementArgumentWriter(handle, room)
        bind(&arguments)
        // A missing argument would keep its value of the last run.
        precondition(arguments.count == sqlite3_bind_parameter_count(handle))
        return handle
    }

    private func error(_ code: CInt) -> DatabaseError {
        let message = sqlite3_db_handle(statement.sqliteStatement).map { String(cString: sqlite3_errmsg($0)) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
    }
}
