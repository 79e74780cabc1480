import GRDB

/// Begins and ends the writer's transactions.
struct TransactionStatements {
    private let begin: Statement
    private let commit: Statement
    private let rollback: Statement
    private let db: Database
    private let jobs: PushJobIndex

    /// - Parameter jobs: the connection's queue of pushes; hears of commits and rollbacks.
    init(_ db: Database, _ jobs: PushJobIndex) throws {
        (self.db, self.jobs) = (db, jobs)
        // Takes the lock at once, not with the first write: what is read before that must still hold then.
        begin = try Statement(db, sql: "BEGIN IMMEDIATE")
        commit = try Statement(db, sql: "COMMIT")
        rollback = try Statement(db, sql: "ROLLBACK")
    }

    /// Commits what `body` does, or undoes all of it if that throws. The disk has it when this returns.
    func commit(_ body: () throws -> Void) throws {
        try begin.execute()
        do {
            try body()
            try commit.execute()
            jobs.commit()
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
        jobs.rollBack()
        // SQLite may have undone it already, after a full or failing disk.
        if db.isInsideTransaction { try rollback.execute() }
        LogFile.forget(db)
    }
}
