/// Turns a peer's bytes into frames (RFC 6455 §5.2), however the network cuts them.
///
/// Payloads are unmasked and passed on in place. Data is passed on as it comes, so that a large frame need not be
/// complete; control frames are complete. Only the incomplete part of a header or of a control frame is kept. Between
/// frames the parser holds no memory.
struct FrameParser: Sendable {
    /// A frame's payload or a part of it, unmasked.
    struct Piece {
        let header: FrameHeader
        /// Empty only at the beginning or end of a frame.
        let payload: WebSocketPayload
        /// Whether to check the header now: none of its payload was kept yet, and a peer may announce 2^63 bytes.
        let beginsFrame: Bool
        let endsFrame: Bool
    }

    private indirect enum State: Sendable {
        case betweenFrames
        case header([UInt8])
        case data(FrameHeader, receivedBytes: Int)
        case control(FrameHeader, [UInt8])
    }

    /// The sender of the frames.
    struct Sender {
        let role: WebSocketRole
        /// Whether both sides agreed on permessage-deflate.
        let allowsCompression: Bool
    }

    private var state = State.betweenFrames

    var isBetweenFrames: Bool { if case .betweenFrames = state { true } else { false } }

    /// Takes the next piece from the front of `input`; nil once the input is empty. An incomplete part was kept then.
    ///
    /// - Parameter sender: always the same; passed in because its owner stores it anyway.
    mutating func next(
        in input: inout WebSocketInput, from sender: Sender
    ) throws(WebSocketViolation) -> Piece? {
        guard !input.isEmpty else { return nil }
        switch state {
        case .betweenFrames:
            guard let header = try header(parsing: input.bytes, from: sender) else {
                state = .header(Array(input.bytes))
                _ = input.take(input.count)
                return nil
            }
            _ = input.take(header.byteCount)
            return begin(header, &input)
        case .header(let begun):
            guard let header = try header(completing: begun, from: sender, &input) else { return nil }
            state = .betweenFrames
            return begin(header, &input)
        case .data(let header, let receivedBytes):
            return resume(header, receivedBytes: receivedBytes, &input)
        case .control(let header, let begun):
            return resume(header, begun, &input)
        }
    }

    /// Frees the kept bytes, which are no longer needed.
    mutating func discard() { state = .betweenFrames }

    // MARK: Headers

    private func header(
        parsing bytes: UnsafeRawBufferPointer, from sender: Sender
    ) throws(WebSocketViolation) -> FrameHeader? {
        try FrameHeader(parsing: bytes, from: sender.role, allowsCompression: sender.allowsCompression)
    }

    private mutating func header(
        completing begun: [UInt8], from sender: Sender, _ input: inout WebSocketInput
    ) throws(WebSocketViolation) -> FrameHeader? {
        var bytes = begun
        // One byte at a time, because only the bytes themselves tell where the header ends.
        while !input.isEmpty {
            bytes.append(contentsOf: input.take(1))
            let header = try bytes.withUnsafeBufferPointer { bytes throws(WebSocketViolation) -> FrameHeader? in
                try self.header(parsing: UnsafeRawBufferPointer(bytes), from: sender)
            }
            if let header { return header }
        }
        state = .header(bytes)
        return nil
    }

    // MARK: Payloads

    private mutating func begin(_ header: FrameHeader, _ input: inout WebSocketInput) -> Piece? {
        let payload = take(header.payloadBytes, of: header, &input)
        let endsFrame = payload.count == header.payloadBytes
        if !endsFrame {
            if header.opcode.isControl {
                state = .control(header, Array(payload))
                return nil
            }
            state = .data(header, receivedBytes: payload.count)
        }
        return Piece(header: header, payload: .borrowed(payload), beginsFrame: true, endsFrame: endsFrame)
    }

    private mutating func resume(_ header: FrameHeader, receivedBytes: Int, _ input: inout WebSocketInput) -> Piece {
        let payload = take(header.payloadBytes - receivedBytes, of: header, offset: receivedBytes, &input)
        let receivedBytes = receivedBytes + payload.count
        let endsFrame = receivedBytes == header.payloadBytes
        state = endsFrame ? .betweenFrames : .data(header, receivedBytes: receivedBytes)
        return Piece(header: header, payload: .borrowed(payload), beginsFrame: false, endsFrame: endsFrame)
    }

    private mutating func resume(_ header: FrameHeader, _ begun: [UInt8], _ input: inout WebSocketInput) -> Piece? {
        let rest = take(header.payloadBytes - begun.count, of: header, offset: begun.count, &input)
        let payload = begun + rest
        guard payload.count == header.payloadBytes else {
            state = .control(header, payload)
            return nil
        }
        state = .betweenFrames
        return Piece(header: header, payload: .gathered(payload), beginsFrame: true, endsFrame: true)
    }

    /// At most `count` bytes, unmasked.
    private func take(
        _ count: Int, of header: FrameHeader, offset: Int = 0, _ input: inout WebSocketInput
    ) -> UnsafeRawBufferPointer {
        let bytes = input.take(min(count, input.count))
        if let key = header.maskingKey { Masking.apply(key, to: bytes, offset: offset) }
        return UnsafeRawBufferPointer(bytes)
    }
}
