import GRDBSQLite

/// Frames of SQLite's write-ahead log that are on their way to the file, so that those of a commit go there together.
///
/// SQLite writes each frame in two calls, its header of 24 bytes and its page (fileformat2.html §4.1); a commit of
/// eighteen pages took 26 µs in the kernel that way, and 5 in one call. Nothing outlives the commit here: its last
/// frame, which says so in its header, takes all before it along, whatever the connection's `synchronous` is. What is
/// not the next part of a frame in the file's order goes straight to the file, behind what waits.
struct LogFrames {
    /// Writes bytes to a place in the file and returns SQLite's code.
    typealias Write = (UnsafeRawBufferPointer, Int64) -> CInt

    private static let fileHeaderBytes: Int64 = 32
    private static let headerBytes = 24
    private static let pageBytes: Int64 = 4_096
    /// 31 pages: larger commits take a call for each so many. SQLite's own function writes less than 128 KiB at once,
    /// and nothing at all of just so many (os_unix.c, seekAndWriteFd).
    static let maximumBytes = 127 << 10

    private var waiting: [UInt8] = []
    private var start: Int64 = 0
    /// Where the next frame begins; nil while that is not known.
    private var end: Int64?
    /// Whether the header of a frame was the last that came.
    private var awaitsPage = false
    /// Whether that frame, or the last whole one, is a commit's last.
    private var endsCommit = false
    /// How many pages the database has with the commit that came last; 0 before one has.
    private(set) var databasePages = 0

    /// How many frames lie before the place where the next one begins (fileformat2.html §4.1); nil while that is not
    /// known.
    var count: Int? { end.map { Int(max(0, $0 - Self.fileHeaderBytes) / (Int64(Self.headerBytes) + Self.pageBytes)) } }

    /// Whether a commit's last frame was the last that came.
    var endAtCommit: Bool { endsCommit && !awaitsPage }

    /// - Returns: SQLite's code; an error may be about what was given earlier, which is lost then. SQLite takes each as
    ///   the transaction's.
    mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ write: Write) -> CInt {
        guard offset == end, awaitsPage || bytes.count == Self.headerBytes else {
            return pass(bytes, at: offset, write)
        }
        if waiting.count + bytes.count > Self.maximumBytes {
            let code = flush(write)
            guard code == SQLITE_OK else { return code }
        }
        if waiting.isEmpty { start = offset }
        waiting.append(contentsOf: bytes)
        end = offset + Int64(bytes.count)
        awaitsPage.toggle()
        if awaitsPage {
            // The database's size in pages after the commit; 0 in all other frames.
            let pages = bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self).bigEndian
            endsCommit = pages != 0
            if endsCommit { databasePages = Int(pages) }
            return SQLITE_OK
        }
        return endsCommit ? flush(write) : SQLITE_OK
    }

    private mutating func pass(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ write: Write) -> CInt {
        var code = flush(write)
        guard code == SQLITE_OK else { return code }
        code = write(bytes, offset)
        end = code == SQLITE_OK ? offset + Int64(bytes.count) : nil
        (awaitsPage, endsCommit) = (false, false)
        return code
    }

    /// Drops what waits, which was of a transaction that is undone.
    mutating func forget() {
        waiting.removeAll(keepingCapacity: true)
        (end, awaitsPage, endsCommit) = (nil, false, false)
    }

    /// Writes what waits; to be called before anything else is done with the file.
    mutating func flush(_ write: Write) -> CInt {
        guard !waiting.isEmpty else { return SQLITE_OK }
        let code = waiting.withUnsafeBytes { write($0, start) }
        waiting.removeAll(keepingCapacity: true)
        if code != SQLITE_OK { (end, awaitsPage, endsCommit) = (nil, false, false) }
        return code
    }
}
