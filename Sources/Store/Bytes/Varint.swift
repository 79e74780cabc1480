extension [UInt8] {
    /// Seven bits a byte, the lowest first; the top bit says that more follow (LEB128).
    @inlinable package mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Small numbers of both signs take few bytes (zigzag).
    package mutating func appendVarint(signed value: Int64) {
        appendVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }
}

extension OutputSpan<UInt8> {
    /// The same as for arrays; the span must have room.
    @inlinable @inline(__always)
    package mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Small numbers of both signs take few bytes (zigzag).
    @inlinable package mutating func appendVarint(signed value: Int64) {
        appendVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the number at the front; nil if it is cut off or too long.
    @inlinable package mutating func takeVarint() -> UInt64? {
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

    /// Reads what ``Swift/OutputSpan/appendVarint(signed:)`` wrote.
    @inlinable package mutating func takeSignedVarint() -> Int64? {
        takeVarint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// Removes a length at the front, then removes and returns so many bytes; nil if there are fewer.
    package mutating func takeBytes() -> Self? {
        guard let number = takeVarint(), let length = Int(exactly: number), length <= count else { return nil }
        defer { removeFirst(length) }
        return prefix(length)
    }
}
