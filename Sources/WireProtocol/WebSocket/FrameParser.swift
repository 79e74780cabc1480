/// Turns a peer's bytes into frames (RFC 6455 §5.2), however the network cuts them.
///
/// Data is handed on as it comes, so that nothing waits for the end of a large frame; control frames come whole.
struct FrameParser: Sendable {
    enum Event: Sendable {
        /// Comes before any of its payload, to be judged first: a peer may announce 2^63 bytes.
        case header(FrameHeader)
        /// Unmasked, and empty only where it ends a frame.
        case payload(FrameHeader, [UInt8], endsFrame: Bool)
    }

    private enum State: Sendable {
        case awaitingHeader
        case awaitingPayload(FrameHeader, received: Int)
    }

    private let sender: WebSocketRole
    private var state = State.awaitingHeader
    private var buffer = ReceiveBuffer()

    /// - Parameter sender: who sends the frames.
    init(sender: WebSocketRole) { self.sender = sender }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(bytes) }

    /// Removes and returns what comes next, or nil while bytes are missing.
    mutating func next() throws(WebSocketViolation) -> Event? {
        switch state {
        case .awaitingHeader:
            guard let header = try FrameHeader(consuming: &buffer, from: sender) else { return nil }
            state = .awaitingPayload(header, received: 0)
            return .header(header)
        case .awaitingPayload(let header, let received):
            let missing = header.payloadBytes - received
            let count = min(missing, buffer.count)
            guard count == missing || (count > 0 && !header.opcode.isControl) else { return nil }
            state = count == missing ? .awaitingHeader : .awaitingPayload(header, received: received + count)
            let payload = take(count, maskedWith: header.maskingKey, offset: received)
            return .payload(header, payload, endsFrame: count == missing)
        }
    }

    /// Lets go of bytes that will not be wanted any more.
    mutating func discard() { buffer = ReceiveBuffer() }

    private mutating func take(_ count: Int, maskedWith key: UInt32?, offset: Int) -> [UInt8] {
        guard let key else { return buffer.take(count) }
        guard count > 0 else { return [] }
        let payload = [UInt8](unsafeUninitializedCapacity: count) { target, initializedCount in
            buffer.withUnsafeBytes { source in
                Masking.copy(
                    UnsafeRawBufferPointer(rebasing: source[..<count]), to: UnsafeMutableRawBufferPointer(target),
                    key: key, offset: offset)
            }
            initializedCount = count
        }
        buffer.skip(count)
        return payload
    }
}
