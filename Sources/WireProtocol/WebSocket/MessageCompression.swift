/// A shard's compressors (RFC 7692), each made when the first message needs it; confined to that shard.
///
/// They serve all its connections, since none keeps a context between messages.
package final class MessageCompression {
    private struct Entry {
        let level: Int
        let windowBits: Int
        let deflater: Deflater
    }

    /// A larger buffer than this is let go after the message that needed it.
    private static let keptBytes = 64 << 10

    /// A window of 2 KiB reaches back over all of such a message, less the 262 bytes that zlib keeps ahead. Messages
    /// come out as small as with the largest window, but to begin one takes clearing 8 KiB and not 64, as much as a
    /// third of the work.
    private static let short = (maximumBytes: 1_786, windowBits: 11)

    private var inflater: Inflater?
    /// One a window size that clients asked for, and one for short messages: seven at most, of each level that is
    /// configured.
    private var deflaters: [Entry] = []
    private var compressed: [UInt8] = []

    package init() {}

    /// The message that was compressed to `payload`.
    ///
    /// - Parameter isText: whether it must be UTF-8, which is checked as it is inflated.
    func inflated(
        _ payload: UnsafeRawBufferPointer, isText: Bool, maximumBytes: Int
    ) throws(WebSocketViolation) -> [UInt8] {
        let inflater = try readyInflater()
        var message: [UInt8] = []
        // Text shrinks to a third or so: most messages then grow into no second place.
        message.reserveCapacity(min(payload.count * 4, maximumBytes) + WebSocketPayload.paddingBytes)
        var validator = UTF8Validator()
        try inflater.inflate(payload, maximumBytes: maximumBytes) { piece throws(WebSocketViolation) in
            guard !isText || validator.consume(piece) else { throw .invalidUTF8 }
            message.append(contentsOf: piece)
        }
        guard validator.isComplete else { throw .invalidUTF8 }
        message.reserveCapacity(message.count + WebSocketPayload.paddingBytes)
        return message
    }

    private func readyInflater() throws(WebSocketViolation) -> Inflater {
        if let inflater { return inflater }
        do {
            let inflater = try Inflater()
            self.inflater = inflater
            return inflater
        } catch {
            // No memory: too big for us as we are.
            throw .messageTooBig
        }
    }

    /// The frame of a message, compressed; nil where it should go plain: it is short, or not shorter this way.
    ///
    /// - Parameters:
    ///   - opcode: text or binary.
    ///   - deflate: what was agreed on with the receiver.
    ///   - settings: nil compresses nothing.
    ///   - maskingKey: a client's.
    package func frame(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ deflate: DeflateAgreement,
        _ settings: DeflateSettings?, maskingKey: UInt32? = nil
    ) -> [UInt8]? {
        guard let settings, payload.count >= settings.thresholdBytes else { return nil }
        // What was agreed on is the largest window that the receiver reads (RFC 7692 §7.1.2.1).
        let isShort = payload.count <= Self.short.maximumBytes
        let windowBits = isShort ? min(deflate.windowBits, Self.short.windowBits) : deflate.windowBits
        guard let deflater = deflater(windowBits: windowBits, level: settings.level) else { return nil }
        defer { compressed.removeAll(keepingCapacity: compressed.capacity <= Self.keptBytes) }
        deflater.compress(payload, into: &compressed)
        guard compressed.count < payload.count else { return nil }
        return compressed.withUnsafeBytes {
            FrameEncoder.encode(opcode, isCompressed: true, $0, maskingKey: maskingKey)
        }
    }

    private func deflater(windowBits: Int, level: Int) -> Deflater? {
        if let entry = deflaters.first(where: { $0.windowBits == windowBits && $0.level == level }) {
            return entry.deflater
        }
        // No memory for a compressor is no reason to say nothing: the message goes plain.
        guard let deflater = try? Deflater(level: level, windowBits: windowBits) else { return nil }
        deflaters.append(Entry(level: level, windowBits: windowBits, deflater: deflater))
        return deflater
    }
}
