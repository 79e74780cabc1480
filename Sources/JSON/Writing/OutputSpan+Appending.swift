/// Appends to a span that must have room.
extension OutputSpan<UInt8> {
    @inlinable
    package mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            precondition(room.count - count >= bytes.count)
            // The buffers' own methods take several times as long for the usual few bytes.
            if let start = room.baseAddress, let source = bytes.baseAddress {
                (start + count).update(from: source, count: bytes.count)
            }
            count += bytes.count
        }
    }

    /// Appends a number's digits, with its sign if it is negative.
    package mutating func append(decimal number: Int64) {
        withUnsafeMutableBufferPointer { room, count in
            count += DecimalDigits.write(number, to: UnsafeMutableBufferPointer(rebasing: room[count...]))
        }
    }
}
