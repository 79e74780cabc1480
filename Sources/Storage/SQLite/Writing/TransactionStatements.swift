import GRDB

/// Begins and ends the writer's transactions.
struct TransactionStatements {
    private let begin: DirectStatement
    private let commit: DirectStatement
    private let rollback: DirectStatement
    private let db: Database
    private let syncing: LogSyncing
    private let jobs: PushJobIndex

    /// - Parameters:
    ///   - syncing: of the connection's log.
    ///   - jobs: of the connection's queue of pushes; follows what becomes of transactions.
    init(_ db: Database, _ syncing: LogSyncing, _ jobs: PushJobIndex) throws {
        (self.db, self.syncing, self.jobs) = (db, syncing, jobs)
        // At once, and not with the first write: what is read before it must still hold then.
        begin = try DirectStatement(db, sql: "BEGIN IMMEDIATE")
        commit = try DirectStatement(db, sql: "COMMIT")
        rollback = try DirectStatement(db, sql: "ROLLBACK")
    }

    /// Commits what `body` does, or undoes all of it if that throws.
    /// - Parameter body: returns whether the disk must have it when this returns.
    func commit(_ body: () throws -> Bool) throws {
        try begin.execute()
        do {
            if try body() {
                try commit.execute()
                jobs.commit()
                // One that has written nothing syncs nothing, and may tell of what came before it.
                if syncing.deadline != nil { try LogFile.sync(db) }
            } else {
                try syncing.leavingOut { try commit.execute() }
                jobs.commit()
            }
            // Also at a sync of which SQLite tells nobody.
            if syncing.areLost { throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC) }
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
        // SQLite may have undone it already: after a full disk, or a failing one.
        if db.isInsideTransaction { try rollback.execute() }
        LogFile.forget(db)
    }
}
