import GRDB

/// Begins and ends the writer's transactions.
///
/// By reference, as it remembers how far the disk is.
final class TransactionStatements {
    private let begin: DirectStatement
    private let commit: DirectStatement
    private let rollback: DirectStatement
    private let db: Database
    private var syncing = CommitSyncing(at: .now)
    /// Whether the connection waits for the disk at each commit; nil while that is not known.
    private var waitsForDisk: Bool?

    init(_ db: Database) throws {
        self.db = db
        // At once, and not with the first write: what is read before it must still hold then.
        begin = try DirectStatement(db, sql: "BEGIN IMMEDIATE")
        commit = try DirectStatement(db, sql: "COMMIT")
        rollback = try DirectStatement(db, sql: "ROLLBACK")
    }

    /// Commits what `body` does, or undoes all of it if that throws.
    /// - Parameter isPromised: whether the commit must be on the disk when this returns; if not, it may be there later.
    func commit<Value>(isPromised: Bool, _ body: () throws -> Value) throws -> Value {
        let waits = syncing.waits(isPromised: isPromised, at: .now)
        try setWaiting(waits)
        try begin.execute()
        do {
            let value = try body()
            try commit.execute()
            syncing.committed(hasWaited: waits, at: .now)
            return value
        } catch {
            try undo()
            throw error
        }
    }

    /// Nothing more comes for a while: what the disk may miss goes there now. Where that fails, the next commit brings it there,
    /// and says what is wrong.
    func rest() {
        if syncing.isBehind, LogFile.sync(db) { syncing.synced() }
    }

    /// In the write-ahead log `NORMAL` leaves out the waiting of commits, and only that (pragma.html#pragma_synchronous).
    private func setWaiting(_ waits: Bool) throws {
        guard waits != waitsForDisk else { return }
        waitsForDisk = nil
        try db.execute(sql: "PRAGMA synchronous = \(waits ? "FULL" : "NORMAL")")
        waitsForDisk = waits
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
