import GRDBSQLite

/// Keeps frames of SQLite's write-ahead log on their way to the file, so that those of a commit go there together.
///
/// SQLite writes each frame in two calls, its header of 24 bytes and its page (fileformat2.html §4.1). A commit of
/// eighteen pages took 26 µs in the kernel that way, and 5 µs in one call. No frame stays here after the commit: its
/// last frame, which says so in its header, takes along all before it, whatever the connection's `synchronous` is.
/// Bytes that are not the next part of a frame in the file's order go straight to the file, behind the waiting frames.
struct LogFrames {
    /// Writes bytes to a place in the file and returns SQLite's code.
    typealias Write = (UnsafeRawBufferPointer, Int64) -> CInt

    private static let fileHeaderBytes: Int64 = 32
    private static let headerBytes = 24
    private static let pageBytes: Int64 = 4_096
    /// 31 pages: larger commits take one call for each 31. SQLite's own function writes less than 128 KiB at once, and
    /// nothing at all of exactly 128 KiB (os_unix.c, seekAndWriteFd).
    static let maximumBytes = 127 << 10

    private var waiting: [UInt8] = []
    private var start: Int64 = 0
    /// The position of the next frame; nil while unknown.
    private var end: Int64?
    /// Whether the last bytes were a frame's header.
    private var awaitsPage = false
    /// Whether that frame, or the last whole one, is the last of a commit.
    private var endsCommit = false
    /// How many pages the database has after the last commit; 0 before one.
    private(set) var databasePages = 0

    /// How many frames lie before the position of the next one (fileformat2.html §4.1); nil while unknown.
    var count: Int? { end.map { Int(max(0, $0 - Self.fileHeaderBytes) / (Int64(Self.headerBytes) + Self.pageBytes)) } }

    /// - Returns: SQLite's code. An error may concern earlier bytes, which are lost then; SQLite takes each as the
    ///   transaction's.
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
            // The database's size in pages after the commit; 0 in all frames but a commit's last.
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

    /// Drops the waiting frames of an undone transaction.
    mutating func forget() {
        waiting.removeAll(keepingCapacity: true)
        (end, awaitsPage, endsCommit) = (nil, false, false)
    }

    /// Writes the waiting frames; to be called before any other use of the file.
    mutating func flush(_ write: Write) -> CInt {
        guard !waiting.isEmpty else { return SQLITE_OK }
        let code = waiting.withUnsafeBytes { write($0, start) }
        waiting.removeAll(keepingCapacity: true)
        if code != SQLITE_OK { (end, awaitsPage, endsCommit) = (nil, false, false) }
        return code
    }
}
