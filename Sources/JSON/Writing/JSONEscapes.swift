/// The bytes of a text that need an escape in JSON (RFC 8259 §7).
enum JSONEscapes {
    static func isNeeded(for byte: UInt8) -> Bool { byte < 0x20 || byte == quote || byte == backslash }

    /// Copies a text to a place with enough room, unless it needs an escape; returns whether it was copied.
    ///
    /// Checks while it copies, eight bytes at a time, because nearly all texts need no escape.
    @inline(__always)
    static func copy(unlessNeededFor text: UnsafeRawBufferPointer, to place: UnsafeMutableRawPointer) -> Bool {
        guard let source = text.baseAddress else { return true }
        return !areNeeded(in: source, text.count, copyingTo: place)
    }

    /// Whether one of the text's bytes needs an escape.
    @inline(__always)
    static func areNeeded(in text: UnsafeRawBufferPointer) -> Bool {
        guard let source = text.baseAddress else { return false }
        return areNeeded(in: source, text.count, copyingTo: nil)
    }

    /// - Parameter target: gets the bytes as far as they were checked; nil for none.
    @inline(__always)
    private static func areNeeded(
        in source: UnsafeRawPointer, _ count: Int, copyingTo target: UnsafeMutableRawPointer?
    ) -> Bool {
        guard count >= 8 else { return areNeeded(inFew: source, count, copyingTo: target) }
        // The last word begins eight bytes before the end, and may overlap the one before.
        let last = count - 8
        var place = 0
        while true {
            let word = source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if areNeeded(in: word) { return true }
            target?.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
            if place == last { return false }
            place = min(place + 8, last)
        }
    }

    /// The same for fewer than eight bytes.
    @inline(__always)
    private static func areNeeded(
        inFew source: UnsafeRawPointer, _ count: Int, copyingTo target: UnsafeMutableRawPointer?
    ) -> Bool {
        guard count < 4 else {
            let last = count - 4
            let front = source.loadUnaligned(as: UInt32.self)
            let back = source.loadUnaligned(fromByteOffset: last, as: UInt32.self)
            if areNeeded(in: UInt64(front) | UInt64(back) << 32) { return true }
            target?.storeBytes(of: front, as: UInt32.self)
            target?.storeBytes(of: back, toByteOffset: last, as: UInt32.self)
            return false
        }
        for place in 0..<count {
            let byte = source.load(fromByteOffset: place, as: UInt8.self)
            if isNeeded(for: byte) { return true }
            target?.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
        return false
    }

    /// Whether one of the eight bytes needs an escape, told by subtraction: a byte that is less than the subtracted one
    /// borrows from its highest bit. A borrow may run into higher bytes, but only after one was found.
    static func areNeeded(in word: UInt64) -> Bool {
        let (quotes, backslashes) = (word ^ each(quote), word ^ each(backslash))
        let borrows =
            (word &- each(0x20)) & ~word | (quotes &- each(1)) & ~quotes | (backslashes &- each(1)) & ~backslashes
        return borrows & each(0x80) != 0
    }

    private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 * UInt64(byte) }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
