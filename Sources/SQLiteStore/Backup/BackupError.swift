/// The reason why a store was not backed up or restored, for the operator to fix. A failed call leaves no files behind.
package enum BackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file would be overwritten.
    case exists(path: String)
    case noStore(folder: String)
    /// A write-ahead log or a journal lies beside the file. So it is a store, or a copy of one in use, and no backup.
    case hasLog(path: String)
    /// SQLite's finding, which names no content.
    case damaged(path: String, finding: String)
    case system(call: String, path: String, errno: Int32)
    /// The data folder cannot be used, or a newer version wrote the backup.
    case notOpened(StoreOpenError)

    package var description: String {
        switch self {
        case .exists(let path): "\(path) is there already: move it away, or choose another name"
        case .noStore(let folder): "there is no store in the folder \(folder): expected the file belfry.sqlite"
        case .hasLog(let path):
            "\(path) has a write-ahead log or a journal beside it, so it is no backup: make one with `belfry backup`"
        case .damaged(let path, let finding): "\(path) is damaged: \(finding)"
        case .system(let call, let path, let errno):
            "\(path) cannot be used: \(call) failed, \(SystemMessage.of(errno))"
        case .notOpened(let error): error.description
        }
    }
}
