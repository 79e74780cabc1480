/// A shard's compressors (RFC 7692), each made when the first message needs it; confined to that shard.
///
/// All connections share them, because no compressor keeps a context between messages.
package final class MessageCompression {
    private struct Entry {
        let level: Int
        let windowBits: Int
        let deflater: Deflater
    }

    /// A larger buffer is freed after the message that needed it.
    private static let keptBytes = 64 << 10

    /// The limit and window for short messages. A window of 2 KiB covers such a message, without the 262 bytes that
    /// zlib keeps ahead. Messages become as small as with the largest window. But beginning one clears 8 KiB instead of
    /// 64, which saves up to a third of the work.
    private static let short = (maximumBytes: 1_786, windowBits: 11)

    private var inflater: Inflater?
    /// For each configured level at most seven: one for each window size that clients asked for, and one for short
    /// messages.
    private var deflaters: [Entry] = []
    private var compressed: [UInt8] = []

    package init() {}

    /// The message that was compressed to `payload`.
    ///
    /// - Parameter isText: whether the message must be UTF-8, which is checked while it is inflated.
    func inflated(
        _ payload: UnsafeRawBufferPointer, isText: Bool, maximumBytes: Int
    ) throws(WebSocketViolation) -> [UInt8] {
        let inflater = try readyInflater()
        var message: [UInt8] = []
        // Text shrinks to about a third, so for most messages this buffer need not grow.
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
            // Without memory, the message is too big for this process.
            throw .messageTooBig
        }
    }

    /// The frame of a compressed message; nil if the message should be sent plain, because it is short or would not
    /// shrink.
    ///
    /// - Parameters:
    ///   - opcode: text or binary.
    ///   - deflate: the receiver's agreement.
    ///   - settings: nil compresses nothing.
    ///   - maskingKey: the key of a client's frame.
    package func frame(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ deflate: DeflateAgreement,
        _ settings: DeflateSettings?, maskingKey: UInt32? = nil
    ) -> [UInt8]? {
        guard let settings, payload.count >= settings.thresholdBytes else { return nil }
        // The agreement has the largest window that the receiver reads (RFC 7692 §7.1.2.1).
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
        // Without memory for a compressor, the message is sent plain.
        guard let deflater = try? Deflater(level: level, windowBits: windowBits) else { return nil }
        deflaters.append(Entry(level: level, windowBits: windowBits, deflater: deflater))
        return deflater
    }
}
