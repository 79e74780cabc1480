/// Appending what there must be room for.
extension OutputSpan<UInt8> {
    @inline(__always)
    package mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { room, count in
            _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
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
