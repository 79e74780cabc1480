/// Joins the frames of a message (RFC 6455 §5.4) and inflates it (RFC 7692 §6.2); between messages it holds no memory.
///
/// A compressed message is kept in compressed form until its end, so that an endless message is never inflated.
struct MessageAssembler: Sendable {
    private indirect enum State: Sendable {
        case betweenMessages
        case withinMessage(PartialMessage)
    }

    private var state = State.betweenMessages

    var isBetweenMessages: Bool { if case .betweenMessages = state { true } else { false } }

    /// Nil between messages.
    private var partial: PartialMessage? {
        switch state {
        case .betweenMessages: nil
        case .withinMessage(let message): message
        }
    }

    /// Takes a data frame or a part of it, and returns the message if it ends here.
    ///
    /// - Parameter limits: always the same; passed in because its owner stores them.
    mutating func take(
        _ piece: FrameParser.Piece, within limits: MessageLimits, with compression: MessageCompression
    ) throws(WebSocketViolation) -> WebSocketEvent? {
        if piece.beginsFrame { try judge(piece.header, limits) }
        let maximumBytes = limits.maximumMessageBytes
        let endsMessage = piece.endsFrame && piece.header.isFinal
        var message: PartialMessage
        switch state {
        case .betweenMessages:
            message = PartialMessage(piece.header)
            // Most messages are one frame in one read, and are neither kept nor copied.
            if endsMessage {
                return try message.whole(piece.payload, maximumBytes: maximumBytes, with: compression)
            }
        case .withinMessage(let begun):
            message = begun
            // Taken out of the state, so that appending does not copy.
            state = .betweenMessages
        }
        try message.append(piece.payload)
        if endsMessage { return try message.end(maximumBytes: maximumBytes, with: compression) }
        state = .withinMessage(message)
        return nil
    }

    /// Checks a data frame before its payload is kept.
    private func judge(_ header: FrameHeader, _ limits: MessageLimits) throws(WebSocketViolation) {
        switch (header.opcode, partial) {
        case (.text, nil), (.continuation, _?): break
        case (.binary, nil): guard limits.acceptsBinary else { throw .binaryRefused }
        case (.continuation, nil): throw .loneContinuation
        case (.text, _?), (.binary, _?): throw .interruptedMessage
        case (.close, _), (.ping, _), (.pong, _): preconditionFailure("control frames belong to no message")
        }
        let maximumBytes = limits.maximumMessageBytes
        // Incompressible data grows by less than an eighth, including flushes (zlib's deflateBound).
        let isCompressed = partial?.isCompressed ?? header.isCompressed
        let slack = isCompressed ? maximumBytes / 8 + 64 : 0
        let room = maximumBytes - (partial?.byteCount ?? 0)
        // No room is reserved for announced bytes: memory grows with received ones.
        guard header.payloadBytes <= room + slack else { throw .messageTooBig }
    }

    /// Frees an incomplete message that is no longer needed.
    mutating func discard() { state = .betweenMessages }
}
