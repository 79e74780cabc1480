import GRDB
import GRDBSQLite

/// Keeps the database's file longer than its pages.
///
/// A log that has filled the disk frees its room once its pages are copied to the database. Pages that are new there
/// make the file longer, and would find no room. So the file gets its length in advance. SQLite extends it in whole
/// steps (sqlite.org/c3ref/c_fcntl_begin_atomic_write.html, SQLITE_FCNTL_CHUNK_SIZE and SQLITE_FCNTL_SIZE_HINT). Once
/// it has copied the whole log, it cuts the file to the step that its pages need.
struct DatabaseReserve {
    static let stepBytes: Int64 = 1 << 20
    /// A start needs some room, and so do other programs.
    static let leftBytes: Int64 = 256 << 10
    /// Once the file grows no more, the log takes at most a step, the room left over, and its own reserve
    /// (``LogReserve``). A new page takes more room there than in the database.
    static let leastBytes = 2 * stepBytes + LogReserve.stepBytes
    private static let pageBytes: Int64 = 4_096

    private var reached: Int64 = 0
    private var refusedPages = 0

    /// The length in bytes that the file should get now, and how many of them may be new; nil while it is long enough.
    /// The caller reports the result.
    /// - Parameter pages: those of the database, including those in the log.
    func target(pages: Int) -> (bytes: Int64, new: Int64)? {
        let used = Int64(pages) * Self.pageBytes
        guard used + Self.leastBytes > reached, pages > refusedPages else { return nil }
        let steps = (used + Self.leastBytes + Self.stepBytes - 1) / Self.stepBytes
        return (steps * Self.stepBytes, steps * Self.stepBytes - max(reached, used))
    }

    mutating func reaches(_ bytes: Int64) { reached = bytes }

    /// Not tried again until the database has more pages, or the file was cut.
    mutating func refused(pages: Int) { refusedPages = pages }

    /// The whole log was copied, so the room beyond the database's pages may be gone.
    mutating func wasCut() { (reached, refusedPages) = (0, 0) }
}

extension DatabaseReserve {
    /// To be called once with a writing connection, before ``keepAhead(of:_:)``.
    static func prepare(_ db: Database) {
        var step = CInt(stepBytes)
        // A database without a file does not need it.
        _ = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_CHUNK_SIZE, &step)
    }

    /// Makes the file longer if that is due. A failure is ignored, and tried again with more pages.
    mutating func keepAhead(of pages: Int, _ db: Database) {
        guard let target = target(pages: pages) else { return }
        var bytes = target.bytes
        guard let place = LogPlace(of: db), place.free >= target.new + Self.leftBytes,
            sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_SIZE_HINT, &bytes) == SQLITE_OK
        else { return refused(pages: pages) }
        reaches(target.bytes)
    }
}
