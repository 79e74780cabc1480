import GRDB
import GRDBSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Has SQLite open databases' files with ``ChecksummedFile``, and gives databases room for checksums.
enum PageChecksums {
    private static let name = "belfry"

    /// Registers a file system of SQLite's that opens databases with checksums, and is the default from then on
    /// (sqlite.org/vfs.html). To be called once, before a connection is opened.
    static func register() {
        guard let system = sqlite3_vfs_find(nil) else { return }
        let ours = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        ours.initialize(to: system.pointee)
        // Both are for the rest of the process.
        ours.pointee.zName = UnsafePointer(strdup(name))
        ours.pointee.pNext = nil
        ours.pointee.xOpen = { _, path, file, flags, outFlags in
            guard let system = sqlite3_vfs_find("unix"), let file else { return SQLITE_CANTOPEN }
            let code = system.pointee.xOpen(system, path, file, flags, outFlags)
            if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0 { ChecksummedFile.join(file) }
            return code
        }
        sqlite3_vfs_register(ours, 1)
    }

    /// Leaves room at the end of pages, in a database that is still empty, or from its next VACUUM on.
    static func makeRoom(_ db: Database) {
        var bytes = CInt(PageChecksum.bytes)
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
    }

    /// Up to 128 MiB: writing them anew takes a second or two.
    private static let quicklyWrittenPages = 32_768

    /// Whether the database is one of an older version's, and small.
    static func canBeAddedQuickly(_ db: Database) throws -> Bool {
        guard !areThere(db) else { return false }
        return try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 <= quicklyWrittenPages
    }

    /// Writes all pages of an older version's database anew, with checksums. Outside of all transactions.
    static func add(_ db: Database) throws {
        makeRoom(db)
        try db.execute(sql: "VACUUM")
        try db.checkpoint(.truncate)
    }

    /// Has an empty file's pages get checksums from the first one on, in whatever order they are written.
    static func begin(_ db: Database) {
        sqlite3_file_control(db.sqliteConnection, "main", ChecksummedFile.beginning, nil)
    }

    /// Has a connection read pages that are free, too: a copy of the whole file has them.
    static func readFreePages(_ db: Database) {
        sqlite3_file_control(db.sqliteConnection, "main", ChecksummedFile.copying, nil)
    }

    /// Whether the database's pages have checksums.
    static func areThere(_ db: Database) -> Bool {
        var areThere = false
        let code = sqlite3_file_control(db.sqliteConnection, "main", ChecksummedFile.asking, &areThere)
        return code == SQLITE_OK && areThere
    }
}
