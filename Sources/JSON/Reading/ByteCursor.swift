/// Appends pieces to memory that must have room for them; traps without room.
///
/// A member has about six pieces: through the span of the memory, each would cost several times as much.
struct ByteCursor {
    private let start: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private(set) var count = 0

    fileprivate init(_ room: UnsafeMutableBufferPointer<UInt8>, from start: UnsafeMutablePointer<UInt8>) {
        self.start = start
        capacity = room.count
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        precondition(count < capacity)
        start[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ text: UnsafeRawBufferPointer) {
        precondition(text.count <= capacity - count)
        if let source = text.baseAddress {
            UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: text.count)
        }
        count += text.count
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func append(decimal number: Int64) {
        // The usual case for counts.
        if 0..<10 ~= number { return append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
        write { DecimalDigits.write(number, to: $0) }
    }

    /// - Parameter body: writes to the start of the remaining room, and returns the number of bytes.
    @inline(__always)
    mutating func write(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        let written = body(UnsafeMutableBufferPointer(start: start + count, count: capacity - count))
        precondition(0...(capacity - count) ~= written)
        count += written
    }

    /// Writes a text unless it needs an escape; returns whether it was written.
    @inline(__always)
    mutating func append(unlessEscaped text: UnsafeRawBufferPointer) -> Bool {
        precondition(text.count <= capacity - count)
        guard JSONEscapes.copy(unlessNeededFor: text, to: UnsafeMutableRawPointer(start + count)) else { return false }
        count += text.count
        return true
    }

    /// Writes a key in quotes, with its colon, and a comma before it if one is due.
    @inline(__always)
    mutating func append(key: StaticString, isSeparated: Bool) {
        if isSeparated { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        append(key)
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    mutating func removeAll() { count = 0 }
}

extension [UInt8] {
    /// Appends the output of `body`.
    ///
    /// At once: each separate append would check the room and the buffer's uniqueness again.
    @inline(__always)
    mutating func append(atMost maximumBytes: Int, _ body: (inout ByteCursor) -> Void) {
        append(addingCapacity: maximumBytes) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                guard let start = room.baseAddress else { return }
                let free = UnsafeMutableBufferPointer(rebasing: room[count...])
                var cursor = ByteCursor(free, from: start + count)
                body(&cursor)
                count += cursor.count
            }
        }
    }
}
