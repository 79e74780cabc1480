extension Base64URL {
    /// Decodes `text`; nil if it has a character outside the alphabet.
    ///
    /// Strict, so that each value has one spelling: padding and stray bits in the last letter are refused.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let (bytes, stray) = decoded(text), stray == 0 else { return nil }
        return bytes
    }

    /// Decodes text that people copy: pages that copy a subscription by hand often use `btoa`. So the plain alphabet
    /// and padding are accepted too, and stray bits are ignored.
    package static func decodeLeniently(_ text: some StringProtocol) -> [UInt8]? {
        var letters = Array(text.utf8)
        for _ in 0..<2 where letters.last == UInt8(ascii: "=") { letters.removeLast() }
        for index in letters.indices {
            switch letters[index] {
            case UInt8(ascii: "+"): letters[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): letters[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return decoded(letters)?.bytes
    }

    /// Whether `text` has only letters of the alphabet.
    static func isAlphabet(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { values[Int($0)] != noValue } }

    /// The whole bytes, and the remaining bits.
    private static func decoded(_ text: some Collection<UInt8>) -> (bytes: [UInt8], stray: UInt32)? {
        // In place, because reading a collection of another module takes several calls for each letter.
        if let result = text.withContiguousStorageIfAvailable({ decoded($0) }) { return result }
        return Array(text).withUnsafeBufferPointer { decoded($0) }
    }

    private static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], stray: UInt32)? {
        let (groups, rest) = text.count.quotientAndRemainder(dividingBy: 4)
        // A single letter has six bits, which make no byte.
        guard rest != 1 else { return nil }
        let count = text.count * 3 / 4
        var (seen, stray): (UInt8, UInt32) = (0, 0)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            values.withUnsafeBufferPointer { values in
                /// The bits of some letters, with the last letter's bits lowest.
                func bits(of letters: Int, from start: Int) -> UInt32 {
                    var bits: UInt32 = 0
                    for place in start..<start + letters {
                        let value = values[Int(text[place])]
                        seen |= value
                        bits = bits << 6 | UInt32(value)
                    }
                    return bits
                }
                for group in 0..<groups {
                    let bits = bits(of: 4, from: 4 * group)
                    bytes[3 * group] = UInt8(truncatingIfNeeded: bits >> 16)
                    bytes[3 * group + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                    bytes[3 * group + 2] = UInt8(truncatingIfNeeded: bits)
                }
                if rest > 0 {
                    let strayBits = UInt32(6 * rest % 8)
                    let bits = bits(of: rest, from: 4 * groups)
                    stray = bits & (1 << strayBits - 1)
                    for place in 3 * groups..<count {
                        let later = UInt32(8 * (count - place - 1))
                        bytes[place] = UInt8(truncatingIfNeeded: bits >> (strayBits + later))
                    }
                }
            }
            written = count
        }
        return seen == noValue ? nil : (bytes, stray)
    }

    /// Has more bits than any value, and these stay set in `seen`.
    private static let noValue: UInt8 = 0xFF

    /// By letter. A table, because the letters of a token are random, and branches on them would be predicted badly.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: noValue, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
}
