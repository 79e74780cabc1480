/// Which bytes of a text must not stand in JSON as they are (RFC 8259 §7).
enum JSONEscapes {
    static func isNeeded(for byte: UInt8) -> Bool { byte < 0x20 || byte == quote || byte == backslash }

    /// Appends a text for which there must be room, unless something in it needs an escape; returns whether it was appended.
    ///
    /// Judges while it copies, eight bytes at a time: nearly all texts are written as they are.
    @inline(__always)
    static func append(unlessNeededFor text: UnsafeRawBufferPointer, to room: inout OutputSpan<UInt8>) -> Bool {
        room.withUnsafeMutableBufferPointer { room, end in
            let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[end...])
            precondition(room.count >= text.count)
            var place = 0
            while place + 8 <= text.count {
                let word = text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                if areNeeded(in: word) { return false }
                room.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
                place += 8
            }
            while place < text.count {
                if isNeeded(for: text[place]) { return false }
                room[place] = text[place]
                place += 1
            }
            end += text.count
            return true
        }
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
