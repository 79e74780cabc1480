/// What comes of a peer's bytes.
package enum WebSocketEvent: Sendable, Hashable {
    /// A whole message in valid UTF-8.
    case text([UInt8])
    case binary([UInt8])
    /// A ping came; its pong follows as `send`.
    case ping
    case pong
    /// A control frame to write now.
    case send([UInt8])
    /// Write what is queued, then close the connection. Always the last.
    case finish(WebSocketEnding)
}

/// One end of an open WebSocket (RFC 6455): joins frames to messages, answers pings, and closes as it must be done.
///
/// Between messages it holds no memory of its own.
package struct WebSocketMachine: Sendable {
    private let role: WebSocketRole
    private var parser: FrameParser
    private var assembler: MessageAssembler
    private var lifecycle = ConnectionLifecycle()
    /// The second half of what one frame caused.
    private var following: WebSocketEvent?

    /// - Parameters:
    ///   - maximumMessageBytes: over all frames of a message; more is 1009.
    ///   - acceptsBinary: if not, a binary message is 1003.
    package init(role: WebSocketRole, maximumMessageBytes: Int, acceptsBinary: Bool = true) {
        self.role = role
        parser = FrameParser(sender: role == .server ? .client : .server)
        assembler = MessageAssembler(maximumMessageBytes: maximumMessageBytes, acceptsBinary: acceptsBinary)
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if !lifecycle.hasEnded { parser.append(bytes) }
    }

    /// Removes and returns the next event, or nil while bytes are missing.
    ///
    /// - Parameter maskingKey: for the control frame that may be sent; drawn only by a client, and only if needed.
    package mutating func next(maskingKey: @autoclosure () -> UInt32 = 0) -> WebSocketEvent? {
        if let event = following {
            following = nil
            return event
        }
        do {
            while !lifecycle.hasEnded, let frame = try parser.next() {
                if let event = try take(frame, maskingKey) { return event }
            }
            return nil
        } catch {
            return perform(lifecycle.received(error), maskingKey)
        }
    }

    private mutating func take(
        _ event: FrameParser.Event, _ maskingKey: () -> UInt32
    ) throws(WebSocketViolation) -> WebSocketEvent? {
        switch event {
        case .header(let header):
            if lifecycle.isOpen, !header.opcode.isControl { try assembler.begin(header) }
            return nil
        case .payload(let header, let payload, let endsFrame):
            if header.opcode == .close {
                return perform(lifecycle.received(try CloseFrame(parsing: payload)), maskingKey)
            }
            // What comes after our close frame has no reader any more.
            guard lifecycle.isOpen else { return nil }
            switch header.opcode {
            case .continuation, .text, .binary:
                switch try assembler.append(payload, endsMessage: endsFrame && header.isFinal) {
                case .text(let message): return .text(message)
                case .binary(let message): return .binary(message)
                case nil: return nil
                }
            case .ping:
                // The same data goes back (RFC 6455 §5.5.3).
                following = .send(FrameEncoder.pong(payload, maskingKey: key(maskingKey)))
                return .ping
            case .pong: return .pong
            case .close: return nil
            }
        }
    }

    private mutating func perform(
        _ action: ConnectionLifecycle.EndAction, _ maskingKey: () -> UInt32
    ) -> WebSocketEvent? {
        guard action != .ignore else { return nil }
        assembler.discard()
        parser.discard()
        switch action {
        case .replyThenFinish(let frame, let ending):
            following = .finish(ending)
            return .send(FrameEncoder.close(frame.code, reason: frame.reason, maskingKey: key(maskingKey)))
        case .finish(let ending): return .finish(ending)
        case .ignore: return nil
        }
    }

    /// Begins the close handshake: the frame to send, or nil if the connection is closing already.
    ///
    /// The peer's answer comes out of ``next(maskingKey:)`` as `finish`; its data is ignored from here on.
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
        assembler.discard()
        parser.discard()
        return lifecycle.transportClosed()
    }

    private func key(_ draw: () -> UInt32) -> UInt32? { role == .client ? draw() : nil }
}
