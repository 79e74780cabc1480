import GRDB
import GRDBSQLite
import Glibc

/// The files of a connection's database and write-ahead log. Valid as long as the connection has them open.
struct LogPlace {
    private let database: sqlite3_filename
    private let log: sqlite3_filename

    /// Nil for a database without a file.
    init?(of db: Database) {
        guard let database = sqlite3_db_filename(db.sqliteConnection, "main"), database.pointee != 0,
            let log = sqlite3_filename_wal(database)
        else { return nil }
        (self.database, self.log) = (database, log)
    }

    /// The free bytes on the disk plus the log's own. A disk that does not tell counts as large.
    var room: Int64 {
        var file = stat()
        let logBytes = stat(log, &file) == 0 ? Int64(file.st_size) : 0
        let (room, isMore) = free.addingReportingOverflow(logBytes)
        return isMore ? .max : room
    }

    /// The free bytes on the disk.
    var free: Int64 { DiskSpace.free(at: database) ?? .max }
}
