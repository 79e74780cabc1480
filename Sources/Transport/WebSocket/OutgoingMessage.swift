import WireProtocol

/// A text message from a server to any number of one shard's clients: its frames are made when the first client needs
/// them, once, and their bytes are shared. Confined to that shard.
package final class OutgoingMessage {
    private struct Choice {
        let deflate: DeflateAgreement
        /// Compressed, or the plain one where that gains nothing.
        let frame: [UInt8]
    }

    private let text: [UInt8]
    private lazy var plainFrame = FrameEncoder.text(text)
    /// One a window size that clients have agreed on, and almost all agree on the same.
    private var choices: [Choice] = []

    /// - Parameter text: UTF-8.
    package init(text: [UInt8]) { self.text = text }

    /// How many bytes wait for a client that does not take it, at most.
    package var byteCount: Int { FrameEncoder.byteCount(ofPayload: text.count) }

    /// The frame for a client.
    ///
    /// - Parameters:
    ///   - deflate: what was agreed on with it.
    ///   - settings: asked for only by the first client of that agreement.
    func frame(
        for deflate: DeflateAgreement?, _ settings: @autoclosure () -> DeflateSettings?,
        with compression: MessageCompression
    ) -> [UInt8] {
        guard let deflate else { return plainFrame }
        for choice in choices where choice.deflate == deflate { return choice.frame }
        let frame = text.withUnsafeBytes { compression.frame(.text, $0, deflate, settings()) } ?? plainFrame
        choices.append(Choice(deflate: deflate, frame: frame))
        return frame
    }
}
