/// Joins the frames of a message (RFC 6455 §5.4); between messages it holds no memory.
struct MessageAssembler: Sendable {
    enum Message: Sendable, Hashable {
        case text([UInt8])
        case binary([UInt8])
    }

    private struct Unfinished: Sendable {
        /// Nil for a binary message, which may hold anything.
        var validator: UTF8Validator?
        var bytes: [UInt8] = []
    }

    private let maximumMessageBytes: Int
    private let acceptsBinary: Bool
    private var unfinished: Unfinished?

    init(maximumMessageBytes: Int, acceptsBinary: Bool) {
        self.maximumMessageBytes = maximumMessageBytes
        self.acceptsBinary = acceptsBinary
    }

    /// Judges a data frame before its payload is kept.
    mutating func begin(_ header: FrameHeader) throws(WebSocketViolation) {
        switch (header.opcode, unfinished) {
        case (.text, nil): unfinished = Unfinished(validator: UTF8Validator())
        case (.binary, nil):
            guard acceptsBinary else { throw .binaryRefused }
            unfinished = Unfinished(validator: nil)
        case (.continuation, _?): break
        case (.continuation, nil): throw .loneContinuation
        case (.text, _?), (.binary, _?): throw .interruptedMessage
        case (.close, _), (.ping, _), (.pong, _): preconditionFailure("control frames belong to no message")
        }
        // No room is reserved for what is only announced: memory grows with what has come.
        let room = maximumMessageBytes - (unfinished?.bytes.count ?? 0)
        guard header.payloadBytes <= room else { throw .messageTooBig }
    }

    /// Takes a piece of the frame that has begun, and returns the message if it ends here.
    mutating func append(_ piece: [UInt8], endsMessage: Bool) throws(WebSocketViolation) -> Message? {
        let isText = unfinished?.validator != nil
        if isText, piece.withUnsafeBytes({ unfinished?.validator?.consume($0) }) == false { throw .invalidUTF8 }
        if unfinished?.bytes.isEmpty == true {
            // Most messages are one piece, which then is the message without a copy.
            unfinished?.bytes = piece
        } else {
            unfinished?.bytes.append(contentsOf: piece)
        }
        guard endsMessage, let whole = unfinished else { return nil }
        unfinished = nil
        guard whole.validator?.isComplete != false else { throw .invalidUTF8 }
        return isText ? .text(whole.bytes) : .binary(whole.bytes)
    }

    /// Lets go of a message that will not be wanted any more.
    mutating func discard() { unfinished = nil }
}
