/// Why a store was not backed up or restored: the operator's to mend. Nothing is left behind.
package enum BackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Something would be overwritten.
    case exists(path: String)
    case noStore(folder: String)
    /// There is a write-ahead log or a journal beside the file: it is a store, or a copy of one in use, and not a
    /// backup.
    case hasLog(path: String)
    /// In SQLite's words, which name no content.
    case damaged(path: String, finding: String)
    case system(call: String, path: String, errno: Int32)
    /// The data folder cannot be used, or the backup was written by a newer version.
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
