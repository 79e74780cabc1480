import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The conditions that a data folder must meet before anything in it is trusted or written.
package enum DataFolder {
    /// The files that the store opens by name.
    private static let storeFiles = [
        "belfry.sqlite", "belfry.sqlite-wal", "belfry.sqlite-shm", "belfry.sqlite-journal",
    ]

    /// Creates the folder if necessary, readable only by its owner, and checks it.
    package static func make(_ folder: String) throws(StoreOpenError) {
        let reason = makePath(folder)
        guard reason == 0 else { throw .folderUnusable(path: folder, call: "mkdir", errno: reason) }
        try check(folder)
    }

    /// Foundation would hide the reason.
    private static func makePath(_ path: String) -> Int32 {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return 0 }
        let reason = errno
        let parent = (path as NSString).deletingLastPathComponent
        guard reason == ENOENT, !parent.isEmpty, parent != path else { return reason }
        let reasonAbove = makePath(parent)
        guard reasonAbove == 0 else { return reasonAbove }
        return mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }

    /// Refuses a folder in which everybody may replace our files.
    package static func check(_ folder: String) throws(StoreOpenError) {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw .folderUnusable(path: folder, call: "stat", errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path: folder) }
        guard status.st_mode & S_IWOTH == 0 else { throw .folderOpenToAll(path: folder) }
    }

    /// Refuses a name in the folder that leads elsewhere, such as a symbolic link. Its maker would choose which file is
    /// read, written and given to another owner. A missing file is fine.
    package static func check(file path: String) throws(StoreOpenError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .folderUnusable(path: path, call: "lstat", errno: errno) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    }

    /// Like ``check(file:)``, for all files that SQLite opens.
    static func checkStore(in folder: String) throws(StoreOpenError) {
        for name in storeFiles { try check(file: "\(folder)/\(name)") }
    }
}
