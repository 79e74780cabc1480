/// The payload of a close frame (RFC 6455 §5.5.1).
struct CloseFrame: Sendable, Hashable {
    /// Nil for an empty frame.
    let code: UInt16?
    let reason: String

    /// The 125 bytes of a control frame, without two for the code.
    private static let maximumReasonBytes = 123

    init(code: UInt16?, reason: String) {
        self.code = code
        self.reason = reason
    }

    init(parsing payload: UnsafeRawBufferPointer) throws(WebSocketViolation) {
        guard payload.count != 1 else { throw .truncatedCloseCode }
        guard payload.count >= 2 else {
            self.init(code: nil, reason: "")
            return
        }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard Self.mayBeSent(code) else { throw .invalidCloseCode }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .invalidUTF8 }
        self.init(code: code, reason: reason)
    }

    var payload: [UInt8] {
        guard let code else { return [] }
        precondition(Self.mayBeSent(code), "close code \(code) must not be sent")
        var text = [UInt8]()
        for scalar in reason.unicodeScalars {
            let bytes = UTF8.encode(scalar).map(Array.init) ?? []
            if text.count + bytes.count > Self.maximumReasonBytes { break }
            text += bytes
        }
        return [UInt8(code >> 8), UInt8(code & 0xFF)] + text
    }

    /// RFC 6455 §7.4 and the IANA registry: 1004 to 1006 and 1015 are never sent, 1016 to 2999 are undefined.
    static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
