/// Appending what there must be room for.
extension OutputSpan<UInt8> {
    @inlinable
    package mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            precondition(room.count - count >= bytes.count)
            // Not by the buffers' own ways, which take several times as long for the few bytes that most are.
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
