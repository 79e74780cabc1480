/// Which bytes of a text must not stand in JSON as they are (RFC 8259 §7).
enum JSONEscapes {
    static func isNeeded(for byte: UInt8) -> Bool { byte < 0x20 || byte == quote || byte == backslash }

    /// Eight bytes at a time: nearly all texts are written as they are, once this is known.
    static func areNeeded(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        guard bytes.count >= 8 else { return text.contains(where: isNeeded) }
        var place = 0
        while place + 8 <= bytes.count {
            if areNeeded(in: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return true }
            place += 8
        }
        // What is left, with some bytes once more.
        return areNeeded(in: bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
    }

    /// Whether one of the eight bytes is, by subtraction: a byte borrows from its highest bit if it is less than what is
    /// taken off it. Borrows go on into bytes above one that is found, where they change nothing any more.
    private static func areNeeded(in word: UInt64) -> Bool {
        let (quotes, backslashes) = (word ^ each(quote), word ^ each(backslash))
        let borrows =
            (word &- each(0x20)) & ~word | (quotes &- each(1)) & ~quotes | (backslashes &- each(1)) & ~backslashes
        return borrows & each(0x80) != 0
    }

    private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 * UInt64(byte) }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
