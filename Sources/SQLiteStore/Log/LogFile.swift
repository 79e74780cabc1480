import GRDB
import GRDBSQLite

/// The write-ahead log of the writing connection, with ``LogFrames`` and a ``LogReserve`` between it and SQLite.
///
/// SQLite reaches an open file through a table of functions. This is our own table for that one file: some of its
/// functions serve these two and then call SQLite's, all others are SQLite's. It lives until SQLite closes the file.
struct LogFile {
    /// The first member, so that a pointer to it points to the whole.
    private var functions: sqlite3_io_methods
    private let original: UnsafePointer<sqlite3_io_methods>
    private var frames = LogFrames()
    private var reserve = LogReserve()
    private let place: LogPlace?

    private init(over original: UnsafePointer<sqlite3_io_methods>, at place: LogPlace?) {
        self.original = original
        self.place = place
        functions = original.pointee
        functions.xClose = { file in Self.close(file) }
        functions.xWrite = { file, bytes, count, offset in
            Self.of(file).pointee.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset, file)
        }
        functions.xRead = { file, bytes, count, offset in
            Self.flushed(file) { $0.xRead(file, bytes, count, offset) }
        }
        functions.xTruncate = { file, size in Self.truncate(file, to: size) }
        functions.xSync = { file, flags in Self.flushed(file) { $0.xSync(file, flags) } }
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

    /// Takes over the connection's log. The connection must have begun to use it.
    ///
    /// - Returns: false if there is no log to take over; then commits are written by SQLite alone, which only takes
    ///   longer.
    @discardableResult
    static func join(_ db: Database) -> Bool {
        guard let file = opened(by: db), let original = file.pointee.pMethods else { return false }
        let log = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        log.initialize(to: Self(over: original, at: LogPlace(of: db)))
        file.pointee.pMethods = UnsafeRawPointer(log).assumingMemoryBound(to: sqlite3_io_methods.self)
        return true
    }

    /// Drops the unwritten frames of the connection's undone transaction, which SQLite does not ask for. If they were
    /// written with the next transaction, they could overwrite commits that another process made meanwhile.
    static func forget(_ db: Database) {
        guard let file = opened(by: db), let functions = file.pointee.pMethods else { return }
        // SQLite's own functions do not know this call, and refuse it harmlessly.
        _ = functions.pointee.xFileControl(file, forgetting, nil)
    }

    /// How many frames the connection's log has since it last began at its start; nil if unknown.
    static func frames(_ db: Database) -> Int? { number(counting, db) }

    /// How many pages the database has after the connection's last commit; 0 before a commit, nil if unknown.
    static func databasePages(_ db: Database) -> Int? { number(sizing, db) }

    private static func number(_ operation: CInt, _ db: Database) -> Int? {
        guard let file = opened(by: db), let functions = file.pointee.pMethods else { return nil }
        var number = -1
        guard functions.pointee.xFileControl(file, operation, &number) == SQLITE_OK, number >= 0 else { return nil }
        return number
    }

    /// Numbers of our own file calls; those up to 100 are SQLite's (c3ref/c_fcntl_begin_atomic_write.html).
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

    /// Runs `body`, which may write, and then extends the file beyond that.
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

    /// A failure harms no commit: only the next ones take longer.
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

    /// Writes the waiting frames, then calls SQLite's own function.
    private static func flushed(_ file: File, _ body: (sqlite3_io_methods) -> CInt) -> CInt {
        let log = of(file)
        let code = log.pointee.flush(file)
        return code == SQLITE_OK ? body(log.pointee.original.pointee) : code
    }

    private static func close(_ file: File) -> CInt {
        let log = of(file)
        // The waiting frames belong to no commit.
        let code = log.pointee.original.pointee.xClose(file)
        log.deinitialize(count: 1)
        log.deallocate()
        return code
    }
}
