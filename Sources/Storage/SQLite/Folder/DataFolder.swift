#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a data folder must be like before anything in it is believed or written.
package enum DataFolder {
    /// What the store opens by its name.
    private static let storeFiles = [
        "belfry.sqlite", "belfry.sqlite-wal", "belfry.sqlite-shm", "belfry.sqlite-journal",
    ]

    /// Refuses a folder in which everybody may put files of their own in the place of ours.
    package static func check(_ folder: String) throws(StoreOpenError) {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw .folderUnusable(path: folder, call: "stat", errno: errno)
        }
        guard status.st_mode & S_IWOTH == 0 else { throw .folderOpenToAll(path: folder) }
    }

    /// Refuses a name in the folder that leads elsewhere, such as a symbolic link: whoever made that would choose what
    /// is read, written and given to another owner. A name that nothing has is fine.
    package static func check(file path: String) throws(StoreOpenError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .folderUnusable(path: path, call: "lstat", errno: errno) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    }

    /// As ``check(file:)``, for all that SQLite opens.
    static func checkStore(in folder: String) throws(StoreOpenError) {
        for name in storeFiles { try check(file: "\(folder)/\(name)") }
    }
}
