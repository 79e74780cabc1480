import GRDB
import GRDBSQLite

/// A prepared statement that runs through SQLite itself: the way in which the store's rows are read and written. Only
/// migrations and backups use GRDB's.
///
/// GRDB's own statements box each argument, check the list against the statement and ask for observers: about 2,500
/// instructions a run, as many as SQLite takes for a short row. Belongs to the connection's queue, and must be gone
/// before the connection closes. `body` of a query must not run the same statement, nor one with the same text.
struct Statement {
    private let statement: GRDB.Statement
    /// Nil to have SQLite copy texts and blobs.
    private let room: ArgumentRoom?

    /// Takes the statement from the connection's cache, so that a rested writer prepares nothing again. A statement
    /// that has failed may be used again, since each run ends with a reset.
    ///
    /// - Parameter room: shared only with statements that never run at the same time.
    init(_ db: Database, sql: String, room: ArgumentRoom?) throws {
        statement = try db.cachedStatement(sql: sql)
        self.room = room
    }

    /// A statement that every event runs, with a room of its own.
    init(_ db: Database, sql: String) throws { try self.init(db, sql: sql, room: ArgumentRoom(capacity: 4_096)) }

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

    func execute(arguments: Arguments) throws { try execute { arguments.append(to: &$0) } }

    /// Runs the query and reads its first row; nil without one.
    func first<Value>(
        _ bind: (inout StatementArgumentWriter) -> Void, _ body: (StoredRow) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try visit(bind) { row in
            value = try body(row)
            return false
        }
        return value
    }

    func first<Value>(_ arguments: Arguments, _ body: (StoredRow) throws -> Value) throws -> Value? {
        try first({ arguments.append(to: &$0) }, body)
    }

    /// Runs the query and reads all its rows.
    func all<Value>(
        _ bind: (inout StatementArgumentWriter) -> Void, _ body: (StoredRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEach(bind) { values.append(try body($0)) }
        return values
    }

    func all<Value>(_ arguments: Arguments, _ body: (StoredRow) throws -> Value) throws -> [Value] {
        try all({ arguments.append(to: &$0) }, body)
    }

    /// Runs the query and passes all its rows to `body`.
    func forEach(_ bind: (inout StatementArgumentWriter) -> Void, _ body: (StoredRow) throws -> Void) throws {
        try visit(bind) { row in
            try body(row)
            return true
        }
    }

    func forEach(_ arguments: Arguments, _ body: (StoredRow) throws -> Void) throws {
        try forEach({ arguments.append(to: &$0) }, body)
    }

    /// Runs the query and passes its rows to `body` for as long as that returns true.
    func visit(_ arguments: Arguments, _ body: (StoredRow) throws -> Bool) throws {
        try visit({ arguments.append(to: &$0) }, body)
    }

    private func visit(_ bind: (inout StatementArgumentWriter) -> Void, _ body: (StoredRow) throws -> Bool) throws {
        let handle = begin(bind)
        defer { sqlite3_reset(handle) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_DONE: return
            case SQLITE_ROW: if try !body(StoredRow(handle)) { return }
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

extension Database {
    /// A statement for now and then, from the connection's cache.
    func statement(sql: String) throws -> Statement { try Statement(self, sql: sql, room: nil) }
}
