/// Joins the frames of a message (RFC 6455 §5.4) and inflates it (RFC 7692 §6.2); between messages it holds no memory.
///
/// A compressed message is kept as it came until its end, so that nothing is inflated for one that never ends.
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
    /// - Parameter limits: the same each time; its owner keeps them.
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
            // Most messages are one frame in one read: nothing of them is kept or copied.
            if endsMessage {
                return try message.whole(piece.payload, maximumBytes: maximumBytes, with: compression)
            }
        case .withinMessage(let begun):
            message = begun
            // Taken out, so that appending does not copy.
            state = .betweenMessages
        }
        try message.append(piece.payload)
        if endsMessage { return try message.end(maximumBytes: maximumBytes, with: compression) }
        state = .withinMessage(message)
        return nil
    }

    /// Judges a data frame before its payload is kept.
    private func judge(_ header: FrameHeader, _ limits: MessageLimits) throws(WebSocketViolation) {
        switch (header.opcode, partial) {
        case (.text, nil), (.continuation, _?): break
        case (.binary, nil): guard limits.acceptsBinary else { throw .binaryRefused }
        case (.continuation, nil): throw .loneContinuation
        case (.text, _?), (.binary, _?): throw .interruptedMessage
        case (.close, _), (.ping, _), (.pong, _): preconditionFailure("control frames belong to no message")
        }
        let maximumBytes = limits.maximumMessageBytes
        // What cannot be compressed grows by less than an eighth, flushes in between included (zlib's deflateBound).
        let isCompressed = partial?.isCompressed ?? header.isCompressed
        let slack = isCompressed ? maximumBytes / 8 + 64 : 0
        let room = maximumBytes - (partial?.byteCount ?? 0)
        // No room is reserved for what is only announced: memory grows with what has come.
        guard header.payloadBytes <= room + slack else { throw .messageTooBig }
    }

    /// Lets go of a message that will not be wanted any more.
    mutating func discard() { state = .betweenMessages }
}
