/// One end of an open WebSocket (RFC 6455): joins frames to messages, answers pings, and closes as it must be done.
///
/// Between messages it holds no memory of its own. It may be closed while one of its events is still being looked at.
package struct WebSocketMachine: Sendable {
    // Every connection has one of these, so its parts lie without gaps between them: 32 bytes in all.
    private var parser = FrameParser()
    private var lifecycle = ConnectionLifecycle()
    private var assembler: MessageAssembler
    package let role: WebSocketRole
    /// How messages may be compressed; nil where that was not agreed on.
    package let deflate: DeflateAgreement?

    /// - Parameters:
    ///   - maximumMessageBytes: over all frames of a message, and inflated; more is 1009. Above 2 GiB it is 2 GiB.
    ///   - acceptsBinary: if not, a binary message is 1003.
    ///   - deflate: what the handshake has agreed on.
    package init(
        role: WebSocketRole, maximumMessageBytes: Int, acceptsBinary: Bool = true, deflate: DeflateAgreement? = nil
    ) {
        self.role = role
        self.deflate = deflate
        assembler = MessageAssembler(maximumMessageBytes: maximumMessageBytes, acceptsBinary: acceptsBinary)
    }

    private var peer: FrameParser.Sender {
        FrameParser.Sender(role: role == .server ? .client : .server, allowsCompression: deflate != nil)
    }

    /// Whether messages still count: neither side has begun to close.
    package var isOpen: Bool { lifecycle.isOpen }

    /// Takes the next event from the front of `input`, changing its bytes; nil once all were taken.
    ///
    /// Ask until it is nil, or until nothing more is wanted of this connection: what is incomplete is kept only then.
    /// - Parameters:
    ///   - compression: the shard's.
    ///   - maskingKey: for the control frame that may have to be sent; drawn only by a client, and only if needed.
    package mutating func next(
        in input: inout WebSocketInput, with compression: MessageCompression,
        maskingKey: @autoclosure () -> UInt32 = 0
    ) -> WebSocketEvent? {
        do {
            while !lifecycle.hasEnded, let piece = try parser.next(in: &input, from: peer) {
                if let event = try take(piece, compression, maskingKey) { return event }
            }
            return nil
        } catch {
            return perform(lifecycle.received(error), maskingKey)
        }
    }

    private mutating func take(
        _ piece: FrameParser.Piece, _ compression: MessageCompression, _ maskingKey: () -> UInt32
    ) throws(WebSocketViolation) -> WebSocketEvent? {
        let opcode = piece.header.opcode
        if opcode == .close {
            let frame = try piece.payload.withUnsafeBytes(CloseFrame.init(parsing:))
            return perform(lifecycle.received(frame), maskingKey)
        }
        // What comes after our close frame has no reader any more.
        guard lifecycle.isOpen else { return nil }
        switch opcode {
        case .continuation, .text, .binary: return try assembler.take(piece, with: compression)
        case .ping:
            // The same data goes back (RFC 6455 §5.5.3).
            return .ping(
                pong: piece.payload.withUnsafeBytes { FrameEncoder.encode(.pong, $0, maskingKey: key(maskingKey)) })
        case .pong: return .pong
        case .close: return nil
        }
    }

    private mutating func perform(
        _ action: ConnectionLifecycle.EndAction, _ maskingKey: () -> UInt32
    ) -> WebSocketEvent? {
        discard()
        switch action {
        case .replyThenFinish(let frame, let ending):
            let reply = FrameEncoder.close(frame.code, reason: frame.reason, maskingKey: key(maskingKey))
            return .finish(ending, closeFrame: reply)
        case .finish(let ending): return .finish(ending, closeFrame: nil)
        case .ignore: return nil
        }
    }

    /// Begins the close handshake: the frame to send, or nil if the connection is closing already.
    ///
    /// The peer's answer comes as `finish`; its data is ignored from here on.
    /// - Parameters:
    ///   - code: one that may be sent (RFC 6455 §7.4).
    ///   - reason: cut to what fits, 123 bytes.
    package mutating func close(
        _ code: UInt16, reason: String, maskingKey: @autoclosure () -> UInt32 = 0
    ) -> [UInt8]? {
        guard lifecycle.close(code) else { return nil }
        assembler.discard()
        return FrameEncoder.close(code, reason: reason, maskingKey: key(maskingKey))
    }

    /// The connection below is gone, with or without a close: returns how the WebSocket ended.
    package mutating func transportClosed() -> WebSocketEnding {
        discard()
        return lifecycle.transportClosed()
    }

    private mutating func discard() {
        assembler.discard()
        parser.discard()
    }

    private func key(_ draw: () -> UInt32) -> UInt32? { role == .client ? draw() : nil }
}
