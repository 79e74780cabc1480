import GRDB
import GRDBSQLite

extension LogFile {
    /// How long to wait for readers of an older state: longer than most reads of our own take.
    private static let patience: CInt = 500

    /// Copies the connection's log to the database, syncs both to the disk, and frees the log's room.
    ///
    /// To be called outside of all transactions. If a reader of an older state stays, or the database has no room to
    /// grow, it copies as much as possible.
    /// - Parameter lockTimeout: the connection's wait for locks, which is restored afterwards.
    /// - Returns: whether the log is empty now.
    static func empty(_ db: Database, lockTimeout: Duration) throws -> Bool {
        // The connection was closed while this waited for its turn: SQLite would use a null pointer.
        guard let connection = db.sqliteConnection else { return false }
        sqlite3_busy_timeout(connection, patience)
        defer { sqlite3_busy_timeout(connection, CInt(clamping: Int64(lockTimeout / .milliseconds(1)))) }
        do {
            try db.checkpoint(.truncate)
            return true
        } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_BUSY].contains(error.resultCode) {
            return false
        }
    }
}
