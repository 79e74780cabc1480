extension [UInt8] {
    /// Seven bits a byte, the lowest first; the top bit says that more follow (LEB128).
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the number at the front; nil if it is cut off or too long.
    mutating func takeVarint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard let byte = popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
        }
        // One bit is left.
        guard let last = popFirst(), last <= 1 else { return nil }
        return value | UInt64(last) << 63
    }
}
