/// The header before a frame's payload (RFC 6455 §5.2).
struct FrameHeader: Sendable, Hashable {
    let opcode: Opcode
    /// Whether the message ends with this frame.
    let isFinal: Bool
    /// Whether the message that begins here is compressed: RSV1, which belongs to permessage-deflate (RFC 7692 §6).
    let isCompressed: Bool
    let payloadBytes: Int
    /// As a big-endian number; nil for an unmasked payload.
    let maskingKey: UInt32?

    init(
        opcode: Opcode, isFinal: Bool = true, isCompressed: Bool = false, payloadBytes: Int, maskingKey: UInt32? = nil
    ) {
        self.opcode = opcode
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.payloadBytes = payloadBytes
        self.maskingKey = maskingKey
    }

    /// Reads the header at the front of `bytes`; nil while bytes are missing.
    ///
    /// Reports a fault as soon as its byte has come.
    /// - Parameters:
    ///   - sender: the role of the frame's sender.
    ///   - allowsCompression: whether both sides agreed on permessage-deflate.
    init?(
        parsing bytes: UnsafeRawBufferPointer, from sender: WebSocketRole, allowsCompression: Bool
    ) throws(WebSocketViolation) {
        guard bytes.count > 0 else { return nil }
        let first = bytes[0]
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw .reservedOpcode }
        let isCompressed = first & 0x40 != 0
        // RSV1 is allowed in a message's first frame (RFC 7692 §6.1), the other bits nowhere (RFC 6455 §5.2).
        guard first & 0x30 == 0, !isCompressed || (allowsCompression && opcode.beginsMessage) else {
            throw .reservedBit
        }
        let isFinal = first & 0x80 != 0
        guard isFinal || !opcode.isControl else { throw .fragmentedControlFrame }

        guard bytes.count > 1 else { return nil }
        let second = bytes[1]
        let isMasked = second & 0x80 != 0
        if isMasked != (sender == .client) { throw isMasked ? .unexpectedMask : .missingMask }
        let shortLength = Int(second & 0x7F)
        guard shortLength < 126 || !opcode.isControl else { throw .longControlFrame }

        let lengthBytes = shortLength < 126 ? 0 : shortLength == 126 ? 2 : 8
        guard bytes.count >= 2 + lengthBytes else { return nil }
        let payloadBytes = try Self.length(short: shortLength, bytes: lengthBytes, in: bytes)
        guard bytes.count >= 2 + lengthBytes + (isMasked ? 4 : 0) else { return nil }
        let key = isMasked ? bytes.loadUnaligned(fromByteOffset: 2 + lengthBytes, as: UInt32.self).bigEndian : nil
        self.init(
            opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, payloadBytes: payloadBytes, maskingKey: key)
    }

    private static func length(
        short: Int, bytes: Int, in header: UnsafeRawBufferPointer
    ) throws(WebSocketViolation) -> Int {
        if bytes == 0 { return short }
        let length =
            bytes == 2
            ? UInt64(header.loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian)
            : header.loadUnaligned(fromByteOffset: 2, as: UInt64.self).bigEndian
        guard length > (bytes == 2 ? 125 : 0xFFFF) else { throw .wastefulLength }
        guard let length = Int(exactly: length) else { throw .impossibleLength }
        return length
    }

    /// The length of the header on the wire.
    var byteCount: Int {
        let lengthBytes = payloadBytes < 126 ? 0 : payloadBytes <= 0xFFFF ? 2 : 8
        return 2 + lengthBytes + (maskingKey == nil ? 0 : 4)
    }

    /// Writes the header's bytes to the front of `target`.
    ///
    /// - Parameter target: has room for ``byteCount`` bytes.
    func write(to target: UnsafeMutableRawBufferPointer) {
        target[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
        let mask: UInt8 = maskingKey == nil ? 0 : 0x80
        switch payloadBytes {
        case ..<126:
            target[1] = mask | UInt8(payloadBytes)
        case ...0xFFFF:
            target[1] = mask | 126
            target.storeBytes(of: UInt16(payloadBytes).bigEndian, toByteOffset: 2, as: UInt16.self)
        default:
            target[1] = mask | 127
            target.storeBytes(of: UInt64(payloadBytes).bigEndian, toByteOffset: 2, as: UInt64.self)
        }
        guard let maskingKey else { return }
        target.storeBytes(of: maskingKey.bigEndian, toByteOffset: byteCount - 4, as: UInt32.self)
    }
}
