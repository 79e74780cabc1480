/// One end of an open WebSocket (RFC 6455): joins frames to messages, answers pings, and closes by the rules.
///
/// Between messages it holds no memory of its own. It may be closed while one of its events is being handled.
package struct WebSocketMachine: Sendable {
    /// The unfinished parts: a frame, a message, the closing.
    private struct Progress: Sendable {
        var parser = FrameParser()
        var assembler = MessageAssembler()
        var lifecycle = ConnectionLifecycle()

        var isNone: Bool { parser.isBetweenFrames && assembler.isBetweenMessages && lifecycle.isOpen }

        mutating func discard() {
            assembler.discard()
            parser.discard()
        }
    }

    /// One word, because every connection has one, and mostly nothing is unfinished.
    private indirect enum Phase: Sendable {
        case atRest
        case within(Progress)
    }

    // Every connection has a machine, so its parts lie without gaps: 16 bytes in all.
    private var phase = Phase.atRest
    private let limits: MessageLimits
    package let role: WebSocketRole
    /// The agreement on compression; nil for none.
    package let deflate: DeflateAgreement?

    /// - Parameters:
    ///   - maximumMessageBytes: over all frames of a message, and inflated; a longer message closes with 1009. Values
    ///     above
    ///     2 GiB count as 2 GiB.
    ///   - acceptsBinary: if false, a binary message closes with 1003.
    ///   - deflate: the agreement of the handshake.
    package init(
        role: WebSocketRole, maximumMessageBytes: Int, acceptsBinary: Bool = true, deflate: DeflateAgreement? = nil
    ) {
        self.role = role
        self.deflate = deflate
        limits = MessageLimits(maximumMessageBytes: maximumMessageBytes, acceptsBinary: acceptsBinary)
    }

    private var peer: FrameParser.Sender {
        FrameParser.Sender(role: role == .server ? .client : .server, allowsCompression: deflate != nil)
    }

    /// Whether messages still count: neither side has begun to close.
    package var isOpen: Bool {
        switch phase {
        case .atRest: true
        case .within(let progress): progress.lifecycle.isOpen
        }
    }

    /// Takes the progress out of the phase, so that changes copy nothing; ``keep(_:)`` puts it back.
    private mutating func takeProgress() -> Progress {
        guard case .within(let progress) = phase else { return Progress() }
        phase = .atRest
        return progress
    }

    private mutating func keep(_ progress: Progress) { if !progress.isNone { phase = .within(progress) } }

    /// Takes the next event from the front of `input`, and changes its bytes; nil once all were taken.
    ///
    /// Call until it returns nil or the input is empty; an incomplete rest has been kept then.
    /// - Parameters:
    ///   - compression: the shard's compressors.
    ///   - maskingKey: for a control frame that must be sent; drawn only by a client, and only if needed.
    package mutating func next(
        in input: inout WebSocketInput, with compression: MessageCompression,
        maskingKey: @autoclosure () -> UInt32 = 0
    ) -> WebSocketEvent? {
        guard !input.isEmpty else { return nil }
        var progress = takeProgress()
        defer { keep(progress) }
        do {
            while !progress.lifecycle.hasEnded, let piece = try progress.parser.next(in: &input, from: peer) {
                if let event = try take(piece, &progress, compression, maskingKey) { return event }
            }
            return nil
        } catch {
            return perform(progress.lifecycle.received(error), &progress, maskingKey)
        }
    }

    private func take(
        _ piece: FrameParser.Piece, _ progress: inout Progress, _ compression: MessageCompression,
        _ maskingKey: () -> UInt32
    ) throws(WebSocketViolation) -> WebSocketEvent? {
        let opcode = piece.header.opcode
        if opcode == .close {
            let frame = try piece.payload.withUnsafeBytes(CloseFrame.init(parsing:))
            return perform(progress.lifecycle.received(frame), &progress, maskingKey)
        }
        // Frames that come after this side's close frame are ignored.
        guard progress.lifecycle.isOpen else { return nil }
        switch opcode {
        case .continuation, .text, .binary:
            return try progress.assembler.take(piece, within: limits, with: compression)
        case .ping:
            // The same data goes back (RFC 6455 §5.5.3).
            return .ping(
                pong: piece.payload.withUnsafeBytes { FrameEncoder.encode(.pong, $0, maskingKey: key(maskingKey)) })
        case .pong: return .pong
        case .close: return nil
        }
    }

    private func perform(
        _ action: ConnectionLifecycle.EndAction, _ progress: inout Progress, _ maskingKey: () -> UInt32
    ) -> WebSocketEvent? {
        progress.discard()
        switch action {
        case .replyThenFinish(let frame, let ending):
            let reply = FrameEncoder.close(frame.code, reason: frame.reason, maskingKey: key(maskingKey))
            return .finish(ending, closeFrame: reply)
        case .finish(let ending): return .finish(ending, closeFrame: nil)
        case .ignore: return nil
        }
    }

    /// Begins the close handshake: returns the frame to send, or nil if the connection is closing already.
    ///
    /// From here on the peer's data is ignored, and its answer comes as `finish`.
    /// - Parameters:
    ///   - code: a code that may be sent (RFC 6455 §7.4).
    ///   - reason: cut to the 123 bytes that fit.
    package mutating func close(
        _ code: UInt16, reason: String, maskingKey: @autoclosure () -> UInt32 = 0
    ) -> [UInt8]? {
        var progress = takeProgress()
        defer { keep(progress) }
        guard progress.lifecycle.close(code) else { return nil }
        progress.assembler.discard()
        return FrameEncoder.close(code, reason: reason, maskingKey: key(maskingKey))
    }

    /// The connection below has ended, with or without a close: returns how the WebSocket ended.
    package mutating func transportClosed() -> WebSocketEnding {
        var progress = takeProgress()
        defer { keep(progress) }
        progress.discard()
        return progress.lifecycle.transportClosed()
    }

    private func key(_ draw: () -> UInt32) -> UInt32? { role == .client ? draw() : nil }
}
