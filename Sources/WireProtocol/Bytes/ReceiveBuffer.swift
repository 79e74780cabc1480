import JSON

/// Bytes that have arrived and are still to be read.
///
/// Taking from the front moves an index. The bytes behind it move only when at least as many were taken, so that the
/// total cost stays linear. An empty buffer holds no memory.
struct ReceiveBuffer: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { bytes.isEmpty }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if start > 0, start >= count {
            bytes.removeSubrange(..<start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The byte at a distance from the front.
    subscript(offset: Int) -> UInt8 { bytes[start + offset] }

    /// The offset of the first such byte within `range`; offsets count from the front.
    func offset(of byte: UInt8, in range: Range<Int>) -> Int? {
        bytes[(start + range.lowerBound)..<(start + range.upperBound)].firstIndex(of: byte).map { $0 - start }
    }

    /// Lends the next `count` bytes, and keeps them.
    func withFront<Result, Failure: Error>(
        _ count: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try body(UnsafeBufferPointer(rebasing: bytes[start..<(start + count)]))
        }
    }

    /// A copy of the next `count` bytes, which are kept.
    func front(_ count: Int) -> [UInt8] { Array(bytes[start..<(start + count)]) }

    mutating func skip(_ count: Int) {
        start += count
        if start == bytes.count { self = ReceiveBuffer() }
    }

    mutating func take(_ count: Int) -> [UInt8] {
        if start == 0, count == bytes.count { return takeAll() }
        defer { skip(count) }
        return Array(bytes[start..<(start + count)])
    }

    mutating func takeAll() -> [UInt8] {
        defer { self = ReceiveBuffer() }
        return start == 0 ? bytes : Array(bytes[start...])
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}
