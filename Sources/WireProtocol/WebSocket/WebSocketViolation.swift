/// How a peer broke the protocol or this side's limits.
package enum WebSocketViolation: Error, Sendable, Hashable, CaseIterable {
    case reservedBit
    case reservedOpcode
    case missingMask
    case unexpectedMask
    case wastefulLength
    case impossibleLength
    case fragmentedControlFrame
    case longControlFrame
    case loneContinuation
    case interruptedMessage
    case truncatedCloseCode
    case invalidCloseCode
    case invalidUTF8
    case binaryRefused
    case messageTooBig
    case invalidCompression

    /// The close code to fail the connection with (RFC 6455 §7.4.1).
    package var closeCode: UInt16 {
        switch self {
        case .reservedBit, .reservedOpcode, .missingMask, .unexpectedMask, .wastefulLength, .impossibleLength,
            .fragmentedControlFrame, .longControlFrame, .loneContinuation, .interruptedMessage, .truncatedCloseCode,
            .invalidCloseCode:
            1002
        case .binaryRefused: 1003
        case .invalidUTF8, .invalidCompression: 1007
        case .messageTooBig: 1009
        }
    }

    /// For the peer's developer.
    package var reason: String {
        switch self {
        case .reservedBit: "a reserved bit is set that no extension uses"
        case .reservedOpcode: "the opcode is reserved"
        case .missingMask: "a client's frame is not masked"
        case .unexpectedMask: "a server's frame is masked"
        case .wastefulLength: "a length is not in its shortest form"
        case .impossibleLength: "a length has its top bit set"
        case .fragmentedControlFrame: "a control frame is fragmented"
        case .longControlFrame: "a control frame is longer than 125 bytes"
        case .loneContinuation: "a continuation frame follows no unfinished message"
        case .interruptedMessage: "a new message begins inside another"
        case .truncatedCloseCode: "a close frame has only one byte of its code"
        case .invalidCloseCode: "the close code is not allowed in a frame"
        case .invalidUTF8: "text is not UTF-8"
        case .binaryRefused: "only text messages are accepted"
        case .messageTooBig: "the message is too big"
        case .invalidCompression: "the compressed data is invalid"
        }
    }
}
