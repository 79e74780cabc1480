import GRDB
import GRDBSQLite

/// The write-ahead log of the connection that writes, with ``LogFrames`` and a ``LogReserve`` between it and SQLite.
///
/// SQLite reaches an open file by a table of functions. This is one of our own for that one file: some of its functions
/// mind these two and then do what SQLite's do, all others are SQLite's. It lives until SQLite closes the file.
struct LogFile {
    /// First, so that a pointer to it is one to the whole.
    private var functions: sqlite3_io_methods
    private let original: UnsafePointer<sqlite3_io_methods>
    private var frames = LogFrames()
    private var reserve = LogReserve()
    private let place: LogPlace?
    private let syncing: LogSyncing

    private init(over original: UnsafePointer<sqlite3_io_methods>, at place: LogPlace?, _ syncing: LogSyncing) {
        self.original = original
        self.place = place
        self.syncing = syncing
        functions = original.pointee
        functions.xClose = { file in Self.close(file) }
        functions.xWrite = { file, bytes, count, offset in
            Self.of(file).pointee.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset, file)
        }
        functions.xRead = { file, bytes, count, offset in
            Self.flushed(file) { $0.xRead(file, bytes, count, offset) }
        }
        functions.xTruncate = { file, size in Self.truncate(file, to: size) }
        functions.xSync = { file, flags in Self.sync(file, flags) }
        functions.xFileSize = { file, size in Self.flushed(file) { $0.xFileSize(file, size) } }
        functions.xFileControl = { file, operation, argument in
            if operation == Self.forgetting {
                Self.of(file).pointee.frames.forget()
                return SQLITE_OK
            }
            if operation == Self.counting {
                argument?.assumingMemoryBound(to: Int.self).pointee = Self.of(file).pointee.frames.count ?? -1
                return SQLITE_OK
            }
            if operation == Self.sizing {
                argument?.assumingMemoryBound(to: Int.self).pointee = Self.of(file).pointee.frames.databasePages
                return SQLITE_OK
            }
            return Self.flushed(file) { $0.xFileControl(file, operation, argument) }
        }
    }

    /// Takes care of the connection's log from now on. The connection must have begun to use it.
    ///
    /// - Parameter syncing: is asked about each sync, and told what became of it.
    /// - Returns: false if there is none that it could; commits are then written as SQLite does it, which only takes
    ///   longer.
    @discardableResult
    static func join(_ db: Database, _ syncing: LogSyncing) -> Bool {
        guard let file = opened(by: db), let original = file.pointee.pMethods else { return false }
        let log = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        log.initialize(to: Self(over: original, at: LogPlace(of: db), syncing))
        file.pointee.pMethods = UnsafeRawPointer(log).assumingMemoryBound(to: sqlite3_io_methods.self)
        return true
    }

    /// Waits until the disk has every commit in the connection's log.
    static func sync(_ db: Database) throws {
        guard let file = opened(by: db), let functions = file.pointee.pMethods else { return }
        let code = functions.pointee.xSync(file, SQLITE_SYNC_NORMAL)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Drops what the connection's undone transaction has not written yet. SQLite does not ask for that; and written
    /// later, with the next one, it could go over what another process has committed there meanwhile.
    static func forget(_ db: Database) {
        guard let file = opened(by: db), let functions = file.pointee.pMethods else { return }
        // By a call that SQLite's own functions do not know, and answer so.
        _ = functions.pointee.xFileControl(file, forgetting, nil)
    }

    /// How many frames the connection's log has since it began at its start; nil where that is not known.
    static func frames(_ db: Database) -> Int? { number(counting, db) }

    /// How many pages the database has with the connection's last commit; 0 before one, nil where that is not known.
    static func databasePages(_ db: Database) -> Int? { number(sizing, db) }

    private static func number(_ operation: CInt, _ db: Database) -> Int? {
        guard let file = opened(by: db), let functions = file.pointee.pMethods else { return nil }
        var number = -1
        guard functions.pointee.xFileControl(file, operation, &number) == SQLITE_OK, number >= 0 else { return nil }
        return number
    }

    /// Of a call to a file; those up to 100 are SQLite's (c3ref/c_fcntl_begin_atomic_write.html).
    private static let forgetting: CInt = 1_000
    private static let counting: CInt = 1_001
    private static let sizing: CInt = 1_002

    private static func opened(by db: Database) -> UnsafeMutablePointer<sqlite3_file>? {
        var opened: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &opened)
        return code == SQLITE_OK ? opened : nil
    }

    private typealias File = UnsafeMutablePointer<sqlite3_file>?

    private static func of(_ file: File) -> UnsafeMutablePointer<Self> {
        guard let functions = file?.pointee.pMethods else { preconditionFailure("SQLite calls it for open files only") }
        return UnsafeMutableRawPointer(mutating: functions).assumingMemoryBound(to: Self.self)
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ file: File) -> CInt {
        writing(to: file) { $0.add(bytes, at: offset, $1) }
    }

    private mutating func flush(_ file: File) -> CInt { writing(to: file) { $0.flush($1) } }

    /// Runs `body`, which may write, and has the file reach beyond that.
    private mutating func writing(
        to file: File, _ body: (inout LogFrames, _ write: LogFrames.Write) -> CInt
    ) -> CInt {
        let original = original
        var end: Int64 = 0
        let code = body(&frames) { bytes, offset in
            let code = original.pointee.xWrite(file, bytes.baseAddress, CInt(bytes.count), offset)
            if code == SQLITE_OK { end = max(end, offset + Int64(bytes.count)) }
            return code
        }
        if end > 0 { keepAhead(of: end, file) }
        return code
    }

    /// A failure fails no commit: only the next ones take longer.
    private mutating func keepAhead(of end: Int64, _ file: File) {
        guard let place else { return }
        let functions = original.pointee
        let zeros = reserve.wrote(
            to: end,
            measured: {
                var bytes: Int64 = 0
                return functions.xFileSize(file, &bytes) == SQLITE_OK ? bytes : nil
            },
            most: { LogLength.mostReserved(room: place.room) })
        guard let zeros else { return }
        let piece = [UInt8](repeating: 0, count: LogFrames.maximumBytes)
        for offset in stride(from: zeros.lowerBound, to: zeros.upperBound, by: piece.count) {
            let count = min(Int64(piece.count), zeros.upperBound - offset)
            guard functions.xWrite(file, piece, CInt(count), offset) == SQLITE_OK else { return reserve.refused() }
        }
        reserve.reaches(zeros.upperBound)
    }

    private static func truncate(_ file: File, to bytes: Int64) -> CInt {
        let log = of(file)
        return flushed(file) { functions in
            let code = functions.xTruncate(file, bytes)
            if code == SQLITE_OK { log.pointee.reserve.reaches(bytes) }
            return code
        }
    }

    private static func sync(_ file: File, _ flags: CInt) -> CInt {
        let log = of(file)
        let endsCommit = log.pointee.frames.endAtCommit
        return flushed(file) { functions in
            let syncing = log.pointee.syncing
            if syncing.leavesOut(endsCommit: endsCommit) { return SQLITE_OK }
            let code = functions.xSync(file, flags)
            syncing.synced(code == SQLITE_OK)
            return code
        }
    }

    /// Has SQLite's own function do the rest.
    private static func flushed(_ file: File, _ body: (sqlite3_io_methods) -> CInt) -> CInt {
        let log = of(file)
        let code = log.pointee.flush(file)
        return code == SQLITE_OK ? body(log.pointee.original.pointee) : code
    }

    private static func close(_ file: File) -> CInt {
        let log = of(file)
        // What waits is of no commit.
        let code = log.pointee.original.pointee.xClose(file)
        log.deinitialize(count: 1)
        log.deallocate()
        return code
    }
}
