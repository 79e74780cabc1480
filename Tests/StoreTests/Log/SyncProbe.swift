import CSQLite
import GRDB
import GRDBSQLite
import Synchronization

/// Counts which syncs of one of a connection's files reach it, and lets them fail.
///
/// By the file's address: SQLite tells its functions of a file no more than that. To be put in before ``LogFile``.
final class SyncProbe: Sendable {
    private typealias Sync = @convention(c) (UnsafeMutablePointer<sqlite3_file>?, CInt) -> CInt

    private struct State {
        /// What synced the file before.
        let original: Sync
        var syncs = 0
        var isFailing = false
    }

    enum File {
        case database, log

        var control: CInt { self == .log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER }
    }

    private static let states = Mutex<[UInt: State]>([:])
    private let file: UInt

    /// A log's table of functions is left behind: SQLite uses it until the file is closed. The database has a table of its
    /// own, which finds its checksums by where it is, and so has to stay.
    init?(_ db: Database, of kind: File = .log) {
        var opened: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(db.sqliteConnection, "main", kind.control, &opened)
        guard let file = opened, let original = file.pointee.pMethods else { return nil }
        self.file = UInt(bitPattern: file)
        guard let sync = original.pointee.xSync else { return nil }
        Self.states.withLock { $0[UInt(bitPattern: file)] = State(original: sync) }
        var functions = UnsafeMutablePointer(mutating: original)
        if kind == .log {
            functions = .allocate(capacity: 1)
            functions.initialize(to: original.pointee)
            file.pointee.pMethods = UnsafePointer(functions)
        }
        functions.pointee.xSync = { file, flags in SyncProbe.sync(file, flags) }
    }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt) -> CInt {
        let state = states.withLock { states in
            states[UInt(bitPattern: file)]?.syncs += 1
            return states[UInt(bitPattern: file)]
        }
        guard let state, !state.isFailing else { return ResultCode.SQLITE_IOERR_FSYNC.rawValue }
        return state.original(file, flags)
    }

    var isFailing: Bool {
        get { Self.states.withLock { $0[file]?.isFailing ?? false } }
        set { Self.states.withLock { $0[file]?.isFailing = newValue } }
    }

    /// How many there were since the last call.
    func takeSyncs() -> Int {
        Self.states.withLock { states in
            defer { states[file]?.syncs = 0 }
            return states[file]?.syncs ?? 0
        }
    }
}
