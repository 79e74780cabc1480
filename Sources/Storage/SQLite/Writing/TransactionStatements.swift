import GRDB

/// Begins and ends the writer's transactions.
struct TransactionStatements {
    private let begin: DirectStatement
    private let commit: DirectStatement
    private let rollback: DirectStatement
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        // At once, and not with the first write: what is read before it must still hold then.
        begin = try DirectStatement(db, sql: "BEGIN IMMEDIATE")
        commit = try DirectStatement(db, sql: "COMMIT")
        rollback = try DirectStatement(db, sql: "ROLLBACK")
    }

    /// Commits what `body` does, or undoes all of it if that throws.
    func commit<Value>(_ body: () throws -> Value) throws -> Value {
        try begin.execute()
        do {
            let value = try body()
            try commit.execute()
            return value
        } catch {
            try undo()
            throw error
        }
    }

    /// Undoes what `body` does.
    func rehearse<Value>(_ body: () throws -> Value) throws -> Value {
        try begin.execute()
        let result = Result { try body() }
        try undo()
        return try result.get()
    }

    private func undo() throws {
        // SQLite may have undone it already: after a full disk, or a failing one.
        if db.isInsideTransaction { try rollback.execute() }
    }
}
