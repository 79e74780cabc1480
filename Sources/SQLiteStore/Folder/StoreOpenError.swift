#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The reason why a store cannot be opened, for the operator to fix.
package enum StoreOpenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process uses the folder.
    case folderInUse(path: String)
    case folderUnusable(path: String, call: String, errno: Int32)
    /// A file or a device has the folder's name.
    case notAFolder(path: String)
    /// Everybody may write to the folder.
    case folderOpenToAll(path: String)
    /// One of our file names is a symbolic link, a folder or a device.
    case notAFile(path: String)
    /// The database was written by a newer version of this program.
    case newerSchema(path: String)
    /// The database's file belongs to another user, or its file system is read-only.
    case notWritable(path: String)
    /// The database did not take the setting that lets commits survive a power cut.
    case notDurable(synchronous: Int)
    /// There is a log, but no database that it belongs to.
    case lostDatabase(path: String)
    /// `belfry migrate` has not finished filling the database.
    case unfinishedMigration(path: String)
    /// A damaged part hides the rest; with SQLite's own words.
    case damaged(path: String, code: Int, message: String)
    /// Any other error, with SQLite's own words.
    case database(path: String, code: Int, message: String)

    private static let readOnlyFileSystem = EROFS

    package var description: String {
        switch self {
        case .folderInUse(let path):
            "the data folder \(path) is in use by another process: stop it, or choose another folder"
        case .folderUnusable(let path, _, Self.readOnlyFileSystem):
            "the data folder \(path) lies on a file system that is mounted read-only: look in the system's log for the reason, "
                + "and mount it for writing (findmnt -T \(path))"
        case .folderUnusable(let path, let call, let errno):
            "the data folder \(path) cannot be used: \(call) failed, \(SystemMessage.of(errno))"
        case .notAFolder(let path): "the data folder \(path) is not a folder: choose another path"
        case .folderOpenToAll(let path):
            "the data folder \(path) can be written to by everybody, who could replace its files: chmod o-w \(path)"
        case .notAFile(let path):
            "\(path) is a symbolic link or not a regular file, and is not opened: move it away"
        case .newerSchema(let path):
            "\(path) was written by a newer version: install that version, or restore a backup"
        case .notWritable(let path):
            "\(path) can only be read: check the owner and permissions of the file and its folder, and whether its file "
                + "system is mounted read-only (findmnt -T)"
        case .notDurable(let synchronous):
            "SQLite runs with synchronous=\(synchronous) instead of 2 (FULL): commits would not survive a power cut"
        case .lostDatabase(let path):
            "\(path) is missing or empty, but its log \(path)-wal is there: put the database's file back, or restore a backup with "
                + "`belfry restore`; to begin with empty inboxes, move the log away (docs/operations.md, \"The data folder\")"
        case .unfinishedMigration(let path):
            "\(path) is the unfinished copy of another store: run the same `belfry migrate` again, which continues, or move "
                + "the file away"
        case .damaged(let path, let code, let message):
            "\(path) is damaged, SQLite error \(code), \(message): move it away and restore a backup with `belfry restore`, or "
                + "save what can be read of it (docs/operations.md, \"A damaged store\")"
        // SQLITE_IOERR and SQLITE_CANTOPEN with their extended codes (sqlite.org/rescode.html).
        case .database(let path, let code, let message) where [10, 14].contains(code & 0xFF):
            "\(path) cannot be opened: check the owner and permissions of the file and its folder, whether its file system is "
                + "mounted read-only (findmnt -T), and the disk (SQLite error \(code), \(message))"
        case .database(let path, let code, let message):
            "\(path) cannot be opened: SQLite error \(code), \(message)"
        }
    }
}
