/// What comes before a frame's payload (RFC 6455 §5.2).
struct FrameHeader: Sendable, Hashable {
    let opcode: Opcode
    /// Whether the message ends with this frame.
    let isFinal: Bool
    let payloadBytes: Int
    /// As a big-endian number; nil where the payload is not masked.
    let maskingKey: UInt32?

    init(opcode: Opcode, isFinal: Bool = true, payloadBytes: Int, maskingKey: UInt32? = nil) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.payloadBytes = payloadBytes
        self.maskingKey = maskingKey
    }

    /// Removes a header from the front of `buffer`; nil, and nothing removed, while bytes are missing.
    ///
    /// A fault is told as soon as its byte has come.
    /// - Parameter sender: who sent the frame.
    init?(consuming buffer: inout ReceiveBuffer, from sender: WebSocketRole) throws(WebSocketViolation) {
        guard buffer.count > 0 else { return nil }
        let first = buffer[0]
        // An extension that was agreed on would own one of these bits; none is, so RFC 6455 §5.2 forbids all three.
        guard first & 0x70 == 0 else { throw .reservedBit }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .fragmentedControlFrame }

        guard buffer.count > 1 else { return nil }
        let isMasked = buffer[1] & 0x80 != 0
        if isMasked != (sender == .client) { throw isMasked ? .unexpectedMask : .missingMask }
        let shortLength = Int(buffer[1] & 0x7F)
        guard shortLength < 126 || !opcode.isControl else { throw .longControlFrame }

        let lengthBytes = shortLength < 126 ? 0 : shortLength == 126 ? 2 : 8
        let headerBytes = 2 + lengthBytes + (isMasked ? 4 : 0)
        guard buffer.count >= 2 + lengthBytes else { return nil }
        let payloadBytes = try Self.length(short: shortLength, bytes: lengthBytes, in: buffer)
        guard buffer.count >= headerBytes else { return nil }
        let key = isMasked ? UInt32(truncatingIfNeeded: buffer.bigEndian(at: 2 + lengthBytes, bytes: 4)) : nil
        buffer.skip(headerBytes)
        self.init(opcode: opcode, isFinal: isFinal, payloadBytes: payloadBytes, maskingKey: key)
    }

    private static func length(
        short: Int, bytes: Int, in buffer: ReceiveBuffer
    ) throws(WebSocketViolation) -> Int {
        if bytes == 0 { return short }
        let length = buffer.bigEndian(at: 2, bytes: bytes)
        guard length > (bytes == 2 ? 125 : 0xFFFF) else { throw .wastefulLength }
        guard let length = Int(exactly: length) else { throw .impossibleLength }
        return length
    }

    /// Appends the header's bytes.
    func write(to bytes: inout [UInt8]) {
        bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
        let mask: UInt8 = maskingKey == nil ? 0 : 0x80
        switch payloadBytes {
        case ..<126:
            bytes.append(mask | UInt8(payloadBytes))
        case ...0xFFFF:
            bytes.append(mask | 126)
            bytes.append(contentsOf: [UInt8(payloadBytes >> 8), UInt8(payloadBytes & 0xFF)])
        default:
            bytes.append(mask | 127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payloadBytes >> shift & 0xFF)) }
        }
        guard let maskingKey else { return }
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(maskingKey >> UInt32(shift) & 0xFF)) }
    }

    /// The most bytes that a header can take.
    static let maximumBytes = 14
}

extension ReceiveBuffer {
    fileprivate func bigEndian(at offset: Int, bytes: Int) -> UInt64 {
        (offset..<(offset + bytes)).reduce(0) { $0 << 8 | UInt64(self[$1]) }
    }
}
