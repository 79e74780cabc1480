import Storage

extension StoreError {
    /// What an operator is told of a failure of the database's; nil for what is an answer, and for damage, which
    /// whoever finds it tells.
    var words: String? {
        switch self {
        case .diskFull: "there is no room left on the disk of the data folder"
        case .failed(let code, let message): Self.words(code, "SQLite error \(code), \(message)")
        case .keyReused, .overloaded, .closed, .tooManyDevices, .damaged: nil
        }
    }

    /// Whether all writes fail with it, and not that of one row: then the store takes in nothing until it is mended.
    var isOutage: Bool {
        switch self {
        case .diskFull: true
        case .failed(let code, _): Cause(code) != nil
        case .keyReused, .overloaded, .closed, .tooManyDevices, .damaged: false
        }
    }

    /// SQLite's primary result codes (sqlite.org/rescode.html) that are about the file and not about a statement.
    private enum Cause: Int {
        case busy = 5
        case locked = 6
        case noMemory = 7
        case readOnly = 8
        case inputOutput = 10
        case full = 13
        case cannotOpen = 14

        /// - Parameter code: also an extended one, whose last byte is the primary one's.
        init?(_ code: Int) { self.init(rawValue: code & 0xFF) }
    }

    private static func words(_ code: Int, _ error: String) -> String {
        switch Cause(code) {
        case .busy, .locked: "another program holds the database: end that program (\(error))"
        case .noMemory: "the machine has no memory left for the database (\(error))"
        case .readOnly:
            "the data folder can only be read: check the owner and permissions of the file and its folder, and look in the "
                + "system's log whether the file system became read-only after a failure of its disk (\(error))"
        case .inputOutput: "the disk of the data folder fails: check the disk and the system's log (\(error))"
        case .full: "there is no room left on the disk of the data folder (\(error))"
        case .cannotOpen:
            "a file in the data folder cannot be opened: check that the folder exists, check the owner and permissions of the "
                + "file and its folder, and the process's limit of open files (\(error))"
        case nil: error
        }
    }
}
