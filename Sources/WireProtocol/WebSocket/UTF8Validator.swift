/// Checks UTF-8 (RFC 3629) as it comes, and finds a mistake at its first octet.
struct UTF8Validator: Sendable, Hashable {
    /// The number of octets missing from the current character.
    private var missing: UInt8 = 0
    /// The range of the next octet. It is narrower after E0, ED, F0 and F4, which excludes overlong forms, surrogates
    /// and values above U+10FFFF.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether no character is incomplete.
    var isComplete: Bool { missing == 0 }

    /// Whether `bytes` are a complete text.
    static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var validator = UTF8Validator()
        return validator.consume(bytes) && validator.isComplete
    }

    /// Returns false as soon as no continuation could make the text valid; the validator must not be used after that.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                index = Self.skipASCII(in: bytes, from: index)
                guard index < bytes.count else { break }
                guard begin(bytes[index]) else { return false }
            } else {
                guard bytes[index] >= lowest, bytes[index] <= highest else { return false }
                missing -= 1
                (lowest, highest) = (0x80, 0xBF)
            }
            index += 1
        }
        return true
    }

    private static func skipASCII(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let highBits = SIMD4<UInt64>(repeating: 0x8080_8080_8080_8080)
        var index = start
        while index + 32 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self) & highBits == .zero
        {
            index += 32
        }
        while index + 8 <= bytes.count,
            bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 { index += 1 }
        return index
    }

    /// Takes the first octet of a character (the table of RFC 3629 §4).
    private mutating func begin(_ octet: UInt8) -> Bool {
        switch octet {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }
}
