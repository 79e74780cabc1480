/// The received part of a message.
struct PartialMessage: Sendable {
    private let isText: Bool
    let isCompressed: Bool
    private var validator = UTF8Validator()
    /// As received; compressed, if the message is.
    private var bytes: [UInt8] = []

    /// - Parameter header: the header of its first frame.
    init(_ header: FrameHeader) {
        isText = header.opcode == .text
        isCompressed = header.isCompressed
    }

    /// The number of kept bytes.
    var byteCount: Int { bytes.count }

    mutating func append(_ payload: WebSocketPayload) throws(WebSocketViolation) {
        let isValid = payload.withUnsafeBytes { payload in
            bytes.append(contentsOf: payload)
            return isCompressed || !isText || validator.consume(payload)
        }
        guard isValid else { throw .invalidUTF8 }
    }

    /// The message, after all of it was appended.
    consuming func end(
        maximumBytes: Int, with compression: MessageCompression
    ) throws(WebSocketViolation) -> WebSocketEvent {
        guard !isCompressed else { return try inflated(.gathered(bytes), maximumBytes, compression) }
        guard validator.isComplete else { throw .invalidUTF8 }
        bytes.reserveCapacity(bytes.count + WebSocketPayload.paddingBytes)
        return event(.gathered(bytes))
    }

    /// A message that is complete in `payload`; nothing was appended before.
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
