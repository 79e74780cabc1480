import Glibc

/// The stamp in a publication: its stream and the time it was due, as text that JSON leaves unchanged.
///
/// `@@`, one digit for the stream, 19 digits of nanoseconds, `@@`.
package struct Marker: Hashable, Sendable {
    package static let byteCount = 24
    /// A single digit names the stream.
    package static let maximumStreams = 10
    private static let sign = UInt8(ascii: "@")
    private static let digitCount = 19

    /// The stream's index.
    package let stream: Int
    /// By ``BenchClock``, not negative.
    package let due: Int64

    package init(stream: Int, due: Int64) {
        precondition((0..<Self.maximumStreams).contains(stream) && due >= 0, "no marker tells that")
        (self.stream, self.due) = (stream, due)
    }

    package func append(to bytes: inout [UInt8]) {
        bytes.append(Self.sign)
        bytes.append(Self.sign)
        bytes.append(UInt8(ascii: "0") + UInt8(stream))
        let start = bytes.count
        var rest = due
        for _ in 0..<Self.digitCount {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
            rest = quotient
        }
        bytes[start...].reverse()
        bytes.append(Self.sign)
        bytes.append(Self.sign)
    }

    /// Finds the first marker in `bytes` from `position` on, and moves `position` behind it.
    package static func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) -> Marker? {
        while position + byteCount <= bytes.count {
            guard let first = firstSign(in: bytes, from: position) else { break }
            if first + byteCount <= bytes.count, let marker = Marker(at: first, in: bytes) {
                position = first + byteCount
                return marker
            }
            position = first + 1
        }
        position = bytes.count
        return nil
    }

    private static func firstSign(in bytes: UnsafeRawBufferPointer, from position: Int) -> Int? {
        guard let start = bytes.baseAddress,
            let found = memchr(start + position, Int32(sign), bytes.count - position)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }

    private init?(at start: Int, in bytes: UnsafeRawBufferPointer) {
        let digits = start + 2
        let end = digits + 1 + Self.digitCount
        guard bytes[start + 1] == Self.sign, bytes[end] == Self.sign, bytes[end + 1] == Self.sign else { return nil }
        var due: Int64 = 0
        for byte in bytes[digits..<end] where !(0x30...0x39).contains(byte) { return nil }
        for byte in bytes[(digits + 1)..<end] {
            let (product, isTooLarge) = due.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = product.addingReportingOverflow(Int64(byte & 0xF))
            if isTooLarge || isStillTooLarge { return nil }
            due = sum
        }
        stream = Int(bytes[digits] & 0xF)
        self.due = due
    }
}
