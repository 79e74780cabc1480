import GRDB
import GRDBSQLite

/// How far the database's file reaches beyond its pages.
///
/// A log that has taken the last room of a disk gives it back once its pages are copied to the database. Those that are
/// new there make its file longer, and would find no room. So the file has its length before they come: SQLite makes it
/// longer in whole steps (sqlite.org/c3ref/c_fcntl_begin_atomic_write.html, SQLITE_FCNTL_CHUNK_SIZE and
/// SQLITE_FCNTL_SIZE_HINT), and cuts it to the step that its pages need when it has copied all of the log.
struct DatabaseReserve {
    static let stepBytes: Int64 = 1 << 20
    /// A start needs some room, and so do others.
    static let leftBytes: Int64 = 256 << 10
    /// From the moment at which the file is not made longer any more, the log takes no more than a step and what is
    /// left, and what it has put behind itself (``LogReserve``). A page that is new takes more there than in the
    /// database.
    static let leastBytes = 2 * stepBytes + LogReserve.stepBytes
    private static let pageBytes: Int64 = 4_096

    private var reached: Int64 = 0
    private var refusedPages = 0

    /// To how many bytes the file is to be brought now, and how many of them may be new; nil while it is long enough.
    /// What becomes of it is to be told.
    /// - Parameter pages: of the database, those in the log included.
    func target(pages: Int) -> (bytes: Int64, new: Int64)? {
        let used = Int64(pages) * Self.pageBytes
        guard used + Self.leastBytes > reached, pages > refusedPages else { return nil }
        let steps = (used + Self.leastBytes + Self.stepBytes - 1) / Self.stepBytes
        return (steps * Self.stepBytes, steps * Self.stepBytes - max(reached, used))
    }

    mutating func reaches(_ bytes: Int64) { reached = bytes }

    /// Not tried again before the database has more pages, or the file was cut.
    mutating func refused(pages: Int) { refusedPages = pages }

    /// All of the log was copied, and what was beyond the database's pages may be gone.
    mutating func wasCut() { (reached, refusedPages) = (0, 0) }
}

extension DatabaseReserve {
    /// To be called once with a connection that is to write, before ``keepAhead(of:_:)``.
    static func prepare(_ db: Database) {
        var step = CInt(stepBytes)
        // Of a database that has no file nobody needs it.
        _ = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &step)
    }

    /// Makes the file longer if that is due. A failure fails nothing: it is tried again with more pages.
    mutating func keepAhead(of pages: Int, _ db: Database) {
        guard let target = target(pages: pages) else { return }
        var bytes = target.bytes
        guard let place = LogPlace(of: db), place.free >= target.new + Self.leftBytes,
            sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_SIZE_HINT, &bytes) == SQLITE_OK
        else { return refused(pages: pages) }
        reaches(target.bytes)
    }
}
