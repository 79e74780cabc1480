/// What has come of a message.
struct PartialMessage: Sendable {
    private let isText: Bool
    let isCompressed: Bool
    private var validator = UTF8Validator()
    /// As they came: compressed, if it is.
    private var bytes: [UInt8] = []

    /// - Parameter header: of its first frame.
    init(_ header: FrameHeader) {
        isText = header.opcode == .text
        isCompressed = header.isCompressed
    }

    /// How many bytes are kept.
    var byteCount: Int { bytes.count }

    mutating func append(_ payload: WebSocketPayload) throws(WebSocketViolation) {
        let isValid = payload.withUnsafeBytes { payload in
            bytes.append(contentsOf: payload)
            return isCompressed || !isText || validator.consume(payload)
        }
        guard isValid else { throw .invalidUTF8 }
    }

    /// The message, once all of it was appended.
    consuming func end(
        maximumBytes: Int, with compression: MessageCompression
    ) throws(WebSocketViolation) -> WebSocketEvent {
        guard !isCompressed else { return try inflated(.gathered(bytes), maximumBytes, compression) }
        guard validator.isComplete else { throw .invalidUTF8 }
        bytes.reserveCapacity(bytes.count + WebSocketPayload.paddingBytes)
        return event(.gathered(bytes))
    }

    /// The message that is all in `payload`, of which nothing was appended.
    func whole(
        _ payload: WebSocketPayload, maximumBytes: Int, with compression: MessageCompression
    ) throws(WebSocketViolation) -> WebSocketEvent {
        guard !isCompressed else { return try inflated(payload, maximumBytes, compression) }
        guard !isText || payload.withUnsafeBytes(UTF8Validator.isValid) else { throw .invalidUTF8 }
        return event(payload)
    }

    private func inflated(
        _ payload: WebSocketPayload, _ maximumBytes: Int, _ compression: MessageCompression
    ) throws(WebSocketViolation) -> WebSocketEvent {
        let bytes = try payload.withUnsafeBytes { payload throws(WebSocketViolation) in
            try compression.inflated(payload, isText: isText, maximumBytes: maximumBytes)
        }
        return event(.gathered(bytes))
    }

    private func event(_ payload: WebSocketPayload) -> WebSocketEvent { isText ? .text(payload) : .binary(payload) }
}
