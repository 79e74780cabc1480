import Store

extension StoreError {
    /// The operator's text about a failure of the database; nil for an ordinary answer, and for damage, which is
    /// reported where it is found.
    var words: String? {
        switch self {
        case .diskFull: "there is no room left on the disk of the data folder"
        case .unreachable(let reason): "the database cannot be used at the moment: \(reason)"
        case .failed(0, let message): message
        case .failed(let code, let message): Self.words(code, "SQLite error \(code), \(message)")
        case .keyReused, .overloaded, .closed, .tooManyDevices, .damaged: nil
        }
    }

    /// For a log line.
    var reason: String { words ?? "\(self)" }

    /// Whether the failure affects all writes and not one row: the store then takes no writes until it is repaired.
    var isOutage: Bool {
        switch self {
        case .diskFull, .unreachable: true
        case .failed(let code, _): Cause(code) != nil
        case .keyReused, .overloaded, .closed, .tooManyDevices, .damaged: false
        }
    }

    /// SQLite's primary result codes (sqlite.org/rescode.html) that concern the file and not a statement.
    private enum Cause: Int {
        case busy = 5
        case locked = 6
        case noMemory = 7
        case readOnly = 8
        case inputOutput = 10
        case full = 13
        case cannotOpen = 14

        /// - Parameter code: may be extended; its last byte is the primary code.
        init?(_ code: Int) { self.init(rawValue: code & 0xFF) }
    }

    private static func words(_ code: Int, _ error: String) -> String {
        switch Cause(code) {
        case .busy, .locked: "another program holds the database: end that program (\(error))"
        case .noMemory: "the machine has no memory left for the database (\(error))"
        case .readOnly:
            "the data folder can only be read: check the owner and permissions of the file and its folder, and look in the "
                + "system's log whether the file system became read-only after a failure of its disk (\(error))"
        // An open file also gets this when its file system becomes read-only.
        case .inputOutput:
            "the disk of the data folder cannot be written or read: check whether its file system became read-only "
                + "(findmnt -T, the system's log), and the disk (\(error))"
        case .full: "there is no room left on the disk of the data folder (\(error))"
        case .cannotOpen:
            "a file in the data folder cannot be opened: check that the folder exists, check the owner and permissions of the "
                + "file and its folder, and the process's limit of open files (\(error))"
        case nil: error
        }
    }
}
