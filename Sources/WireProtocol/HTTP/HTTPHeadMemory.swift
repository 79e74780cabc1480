import JSON

/// The last request's head, as it came and as it was read.
///
/// On one connection a client's requests mostly have the same head, letter by letter but for their bodies' lengths:
/// comparing it takes a fraction of reading it, and what it means is the same.
struct HTTPHeadMemory: Sendable {
    private struct Known: Sendable {
        /// All of it, or what stands before the digits of its `Content-Length`.
        let front: [UInt8]
        /// What stands behind these digits; empty where there are none.
        let back: [UInt8]
        let head: HTTPRequestHead
    }

    /// Idle connections hold what is remembered; a head with a token of the usual length is shorter.
    private static let maximumBytes = 2 << 10
    /// So many digits fit into an `Int`, whichever they are.
    private static let maximumDigits = 18

    private var known: Known?
    private var hasHadOne = false

    /// As which head the front of these bytes was read before, and how long it is; nil for any other bytes.
    func repeated(in bytes: UnsafeRawBufferPointer) -> (head: HTTPRequestHead, byteCount: Int)? {
        guard let known, known.front.isFront(of: bytes) else { return nil }
        var place = known.front.count
        guard !known.back.isEmpty else { return (known.head, place) }
        guard let length = Self.readLength(in: bytes, at: &place),
            known.back.isFront(of: UnsafeRawBufferPointer(rebasing: bytes[place...]))
        else { return nil }
        return (known.head.withBody(ofBytes: length), place + known.back.count)
    }

    /// Reads a number as `Content-Length` is mostly written, without zeros before it, and moves the place behind it.
    private static func readLength(in bytes: UnsafeRawBufferPointer, at place: inout Int) -> Int? {
        let (start, end) = (place, min(bytes.count, place + maximumDigits))
        var length = 0
        while place < end, bytes[place].isDigit {
            length = length * 10 + Int(bytes[place] - UInt8(ascii: "0"))
            place += 1
        }
        guard place > start, place == start + 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        return length
    }

    /// - Parameters:
    ///   - before: the bytes that began with the head.
    ///   - rest: how many there are behind it.
    mutating func note(_ head: HTTPRequestHead, from before: ReceiveBuffer, leaving rest: Int) {
        // Most connections that have one request only become WebSockets.
        guard hasHadOne else {
            hasHadOne = true
            return
        }
        let count = before.count - rest
        guard count <= Self.maximumBytes else {
            known = nil
            return
        }
        let bytes = before.front(count)
        known =
            if head.headers["Content-Length"] != nil, let digits = bytes.withUnsafeBytes(Self.digitsOfLength) {
                Known(front: Array(bytes[..<digits.lowerBound]), back: Array(bytes[digits.upperBound...]), head: head)
            } else {
                Known(front: bytes, back: [], head: head)
            }
    }

    /// Where the digits of `Content-Length` stand in a head that was found to be in order; nil where they are such as
    /// ``readLength(in:at:)`` does not take.
    private static func digitsOfLength(in head: UnsafeRawBufferPointer) -> Range<Int>? {
        let name: StaticString = "content-length:"
        let nameBytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        for place in head.indices where head[place] == .lineFeed {
            let line = head[(place + 1)...]
            guard line.prefix(nameBytes.count).elementsEqual(nameBytes, by: { $0.lowercased == $1 }) else { continue }
            guard let start = line.dropFirst(nameBytes.count).firstIndex(where: { !$0.isSpaceOrTab }) else {
                return nil
            }
            var end = start
            // What stands behind a number that was cut would be taken for text that comes again.
            guard readLength(in: head, at: &end) != nil, head[end...].first?.isDigit != true else { return nil }
            return start..<end
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate func isFront(of bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= count else { return false }
        return withUnsafeBytes { UnsafeRawBufferPointer(rebasing: bytes[..<count]).hasSameOctets(as: $0) }
    }
}
