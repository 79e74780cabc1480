import JSON

/// The last request's head, as it came and as it was read.
///
/// On one connection a client's requests mostly have the same head, letter by letter: comparing it takes a fraction of
/// reading it, and what it means is the same.
struct HTTPHeadMemory: Sendable {
    private struct Known: Sendable {
        let bytes: [UInt8]
        let head: HTTPRequestHead
    }

    /// Idle connections hold what is remembered; a head with a token of the usual length is shorter.
    private static let maximumBytes = 2 << 10

    private var known: Known?
    private var hasHadOne = false

    /// As which head the front of these bytes was read before, and what follows it; nil for any other bytes.
    func repeated(in bytes: UnsafeRawBufferPointer) -> (head: HTTPRequestHead, rest: UnsafeRawBufferPointer)? {
        guard let known, bytes.count >= known.bytes.count else { return nil }
        let isKnown = known.bytes.withUnsafeBytes {
            UnsafeRawBufferPointer(rebasing: bytes[..<$0.count]).hasSameOctets(as: $0)
        }
        guard isKnown else { return nil }
        return (known.head, UnsafeRawBufferPointer(rebasing: bytes[known.bytes.count...]))
    }

    /// Removes a head from the buffer's front and returns what it was read as before; nil for any other bytes.
    func takeRepeated(from buffer: inout ReceiveBuffer) -> HTTPRequestHead? {
        guard let known, buffer.begins(with: known.bytes) else { return nil }
        buffer.skip(known.bytes.count)
        return known.head
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
        known = count > Self.maximumBytes ? nil : Known(bytes: before.front(count), head: head)
    }
}
