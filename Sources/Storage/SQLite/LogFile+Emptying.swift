import GRDB
import GRDBSQLite

extension LogFile {
    /// How long readers of an older state are waited for: longer than a read of our own mostly takes.
    private static let patience: CInt = 500

    /// Copies the connection's log to the database, has the disk take both, and gives the log's room back.
    ///
    /// Outside of all transactions. Where a reader of an older state stays, or there is no room for the database to
    /// grow, what can be copied is.
    /// - Parameter lockTimeout: what the connection is to wait for others again afterwards.
    /// - Returns: whether the log is empty now.
    static func empty(_ db: Database, lockTimeout: Duration) throws -> Bool {
        // Closed by somebody else while this waited for its turn: SQLite would look at what is not there.
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
