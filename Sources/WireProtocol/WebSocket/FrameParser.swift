/// Turns a peer's bytes into frames (RFC 6455 §5.2), however the network cuts them.
///
/// Payloads are unmasked and handed on where they lie, data as it comes, so that nothing waits for the end of a large
/// frame; control frames come whole. Only what a read leaves incomplete is kept: the rest of a header or of a control
/// frame. Between frames it holds no memory.
struct FrameParser: Sendable {
    /// A frame's payload, or a part of it, unmasked.
    struct Piece {
        let header: FrameHeader
        /// Empty only at the frame's begin or end.
        let payload: WebSocketPayload
        /// The header is to be judged now: none of its payload was kept yet, and a peer may announce 2^63 bytes.
        let beginsFrame: Bool
        let endsFrame: Bool
    }

    private indirect enum State: Sendable {
        case betweenFrames
        case header([UInt8])
        case data(FrameHeader, receivedBytes: Int)
        case control(FrameHeader, [UInt8])
    }

    /// Whose frames they are.
    struct Sender {
        let role: WebSocketRole
        /// Whether permessage-deflate was agreed on.
        let allowsCompression: Bool
    }

    private var state = State.betweenFrames

    var isBetweenFrames: Bool { if case .betweenFrames = state { true } else { false } }

    /// Takes what comes next from the front of `input`; nil once it is empty, and what is missing for more was kept.
    ///
    /// - Parameter sender: the same each time; its owner knows it anyway, so it is not kept here.
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

    /// Lets go of what will not be wanted any more.
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
        // A byte at a time: where the header ends shows only as it comes.
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
