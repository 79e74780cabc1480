/// Why a store cannot be opened: the operator's to mend.
package enum StoreOpenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process has it.
    case folderInUse(path: String)
    case folderUnusable(path: String, call: String, errno: Int32)
    /// Everybody may write to it.
    case folderOpenToAll(path: String)
    /// A name of ours is a symbolic link, a folder or a device.
    case notAFile(path: String)
    /// The database was written by a newer version of this program.
    case newerSchema(path: String)
    /// The database's file is another user's, or its file system cannot be written to.
    case notWritable(path: String)
    /// The database did not take the setting that lets commits survive a power cut.
    case notDurable(synchronous: Int)
    /// There is a log, and nothing that it could be of.
    case lostDatabase(path: String)
    /// Without a part that is damaged nothing can be told of the rest; in the database's own words.
    case damaged(path: String, code: Int, message: String)
    /// The database's own words.
    case database(path: String, code: Int, message: String)

    package var description: String {
        switch self {
        case .folderInUse(let path):
            "the data folder \(path) is in use by another process: stop it, or choose another folder"
        case .folderUnusable(let path, let call, let errno):
            "the data folder \(path) cannot be used: \(call) failed, \(SystemMessage.of(errno))"
        case .folderOpenToAll(let path):
            "the data folder \(path) can be written to by everybody, who could replace its files: chmod o-w \(path)"
        case .notAFile(let path):
            "\(path) is a symbolic link or not a regular file, and is not opened: move it away"
        case .newerSchema(let path):
            "\(path) was written by a newer version: install that version, or restore a backup"
        case .notWritable(let path):
            "\(path) can only be read: check the owner and permissions of the file and its folder"
        case .notDurable(let synchronous):
            "SQLite runs with synchronous=\(synchronous) instead of 2 (FULL): commits would not survive a power cut"
        case .lostDatabase(let path):
            "\(path) is missing or empty, but its log \(path)-wal is there: put the database's file back, or restore a backup with "
                + "`belfry restore`; to begin with empty inboxes, move the log away (docs/operations.md, \"The data folder\")"
        case .damaged(let path, let code, let message):
            "\(path) is damaged, SQLite error \(code), \(message): move it away and restore a backup with `belfry restore`, or "
                + "save what can be read of it (docs/operations.md, \"A damaged store\")"
        case .database(let path, let code, let message):
            "\(path) cannot be opened: SQLite error \(code), \(message)"
        }
    }
}
