import GRDB
import GRDBSQLite
import JSON

/// Gives a statement its arguments, one after the other. Texts and blobs lie in the statement's room; without room,
/// SQLite copies them.
struct StatementArgumentWriter {
    private let handle: SQLiteStatement
    /// The rest of the statement's room.
    private var room: UnsafeMutableRawPointer?
    private var roomBytes: Int
    /// How many arguments were given.
    private(set) var count: CInt = 0

    /// SQLite's `SQLITE_TRANSIENT`, a macro that Swift does not see: the bytes are gone when the call returns.
    private static let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ handle: SQLiteStatement, _ room: ArgumentRoom?) {
        self.handle = handle
        (self.room, roomBytes) = (room?.bytes.baseAddress, room?.bytes.count ?? 0)
    }

    mutating func append(_ value: Int64) {
        count += 1
        sqlite3_bind_int64(handle, count, value)
    }

    mutating func append(_ value: Int) { append(Int64(value)) }

    mutating func append(_ value: Int64?) {
        guard let value else { return appendNull() }
        append(value)
    }

    mutating func append(_ text: String) {
        count += 1
        // SQLite takes a text without an address for NULL.
        guard !text.isEmpty else {
            _ = sqlite3_bind_text(handle, count, "", 0, Self.copying)
            return
        }
        text.withOctets { utf8 in
            let kept = keep(utf8)
            let start = (kept ?? utf8.baseAddress)?.assumingMemoryBound(to: CChar.self)
            _ = sqlite3_bind_text(handle, count, start, CInt(utf8.count), kept == nil ? Self.copying : nil)
        }
    }

    mutating func append(_ text: String?) {
        guard let text else { return appendNull() }
        append(text)
    }

    mutating func append(_ bytes: [UInt8]) {
        count += 1
        // SQLite takes a blob without an address for NULL.
        guard !bytes.isEmpty else {
            _ = sqlite3_bind_zeroblob(handle, count, 0)
            return
        }
        bytes.withUnsafeBytes { bytes in
            let kept = keep(bytes)
            let start = kept ?? bytes.baseAddress
            _ = sqlite3_bind_blob(handle, count, start, CInt(bytes.count), kept == nil ? Self.copying : nil)
        }
    }

    mutating func append(_ bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        append(bytes)
    }

    /// Copies an argument into the room; nil if there is none left.
    @inline(__always)
    private mutating func keep(_ argument: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard let place = room, let source = argument.baseAddress, argument.count <= roomBytes else { return nil }
        place.copyMemory(from: source, byteCount: argument.count)
        room = place + argument.count
        roomBytes -= argument.count
        return UnsafeRawPointer(place)
    }

    private mutating func appendNull() {
        count += 1
        sqlite3_bind_null(handle, count)
    }
}
