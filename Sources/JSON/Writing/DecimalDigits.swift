/// Whole numbers as decimal digits.
package enum DecimalDigits {
    /// Enough for any number of 64 bits, with its sign.
    package static let maximumBytes = 20

    /// Writes a number to the start of `room` and returns the number of bytes; traps without room.
    package static func write(_ number: Int64, to room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var end = 0
        if number < 0 {
            precondition(!room.isEmpty)
            room[0] = UInt8(ascii: "-")
            end = 1
        }
        let first = end
        var rest = number.magnitude
        repeat {
            precondition(end < room.count)
            room[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            end += 1
        } while rest > 0
        room[first..<end].reverse()
        return end
    }
}
