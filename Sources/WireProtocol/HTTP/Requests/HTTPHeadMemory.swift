import JSON

/// The last request's head, in bytes and in its parsed form.
///
/// A client's requests on one connection mostly have the same head, apart from the length of the body. Comparing bytes
/// takes a fraction of the time of parsing, and gives the same head.
struct HTTPHeadMemory: Sendable {
    private struct Known: Sendable {
        /// The whole head, or the part before the digits of its `Content-Length`.
        let front: [UInt8]
        /// The part behind these digits; empty without them.
        let back: [UInt8]
        let head: HTTPRequestHead
    }

    /// Idle connections keep this memory; a head with a token of the usual length is shorter.
    private static let maximumBytes = 2 << 10
    /// Any number with so many digits fits into an `Int`.
    private static let maximumDigits = 18

    private var known: Known?
    private var hasHadOne = false

    /// The known head at the front of these bytes, and its length; nil for any other bytes.
    func repeated(in bytes: UnsafeRawBufferPointer) -> (head: HTTPRequestHead, byteCount: Int)? {
        guard let known, known.front.isFront(of: bytes) else { return nil }
        var place = known.front.count
        guard !known.back.isEmpty else { return (known.head, place) }
        guard let length = Self.readLength(in: bytes, at: &place),
            known.back.isFront(of: UnsafeRawBufferPointer(rebasing: bytes[place...]))
        else { return nil }
        return (known.head.withBody(ofBytes: length), place + known.back.count)
    }

    /// Reads the usual form of `Content-Length`, without leading zeros, and moves the index behind it.
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
    ///   - rest: the number of bytes behind it.
    mutating func note(_ head: HTTPRequestHead, from before: ReceiveBuffer, leaving rest: Int) {
        // Most connections with a single request become WebSockets.
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

    /// The digits of `Content-Length` in a valid head; nil for digits that ``readLength(in:at:)`` refuses.
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
            // Digits behind a cut number would be taken for text that stays the same.
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
