import GRDB
import GRDBSQLite
import Glibc

/// How long the writer's log becomes before its pages are copied to the database.
struct LogLength: Hashable {
    private static let pageBytes: Int64 = 4_096

    let pages: Int

    /// - Parameter bytes: the room on the disk for both, beside what the database takes.
    init(room bytes: Int64) {
        // An event touches a page of each recipient, and many of the same ones again soon: every 64 MB where there is room. The
        // pages may all be new to the database, which needs as much again for them, and a reader may make the log longer. Below
        // 4 MB copying would take more than writing does.
        pages = Int(min(16_000, max(1_000, bytes / 4 / Self.pageBytes)))
    }

    /// Has the connection keep to a length that suits the room there is now, and shorten a log that was longer once it begins
    /// at its start again.
    static func fit(_ db: Database) throws {
        let length = LogLength(room: room(of: db))
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(length.pages)")
        // A commit may go beyond, and a frame is a little longer than its page.
        try db.execute(sql: "PRAGMA journal_size_limit = \(Int64(length.pages) * pageBytes * 5 / 4)")
    }

    /// What is free on the disk of the connection's database, and what the log takes there. A disk that does not tell is
    /// taken for a large one.
    private static func room(of db: Database) -> Int64 {
        guard let path = sqlite3_db_filename(db.sqliteConnection, "main"), let log = sqlite3_filename_wal(path) else {
            return .max
        }
        var (disk, file) = (statvfs(), stat())
        guard statvfs(path, &disk) == 0 else { return .max }
        let logBytes = stat(log, &file) == 0 ? Int64(file.st_size) : 0
        let (free, isTooMuch) = Int64(clamping: disk.f_bavail).multipliedReportingOverflow(by: Int64(disk.f_frsize))
        let (room, isMore) = free.addingReportingOverflow(logBytes)
        return isTooMuch || isMore ? .max : room
    }
}
