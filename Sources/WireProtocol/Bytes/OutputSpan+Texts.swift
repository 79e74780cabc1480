import JSON

/// Appends to a span that must have room; traps without it.
extension OutputSpan<UInt8> {
    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(copying: $0) }
    }

    mutating func append(constant text: StaticString) {
        append(copying: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in hexadecimal digits; it must not be negative.
    mutating func append(hexadecimal number: Int) {
        var shift = 0
        while number >> shift >= 16 { shift += 4 }
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: number >> shift & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            shift -= 4
        }
    }
}
