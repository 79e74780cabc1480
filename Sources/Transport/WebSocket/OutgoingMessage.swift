import WireProtocol

/// A server's text message to any number of clients of one shard, or several messages that leave together. Their frames
/// are made once, when the first client needs them, and their bytes are shared. Confined to that shard.
package final class OutgoingMessage {
    private enum Content {
        case text([UInt8])
        case run([OutgoingMessage])
    }

    private struct Choice {
        let deflate: DeflateAgreement
        /// Compressed, or plain if compression saves nothing.
        let frame: [UInt8]
    }

    private let content: Content
    private lazy var plainFrame = makePlainFrame()
    private lazy var event = makeEvent()
    /// One for each window size that clients have agreed on; almost all agree on the same size.
    private var choices: [Choice] = []

    /// - Parameter text: UTF-8.
    package init(text: [UInt8]) { content = .text(text) }

    /// Joins messages in this order. They are sent as one: a single system call for each client, however many they are.
    package init(joining messages: [OutgoingMessage]) { content = .run(messages) }

    /// The most bytes that wait for a client that takes none. An event has up to six more.
    package var byteCount: Int {
        switch content {
        case .text(let text): FrameEncoder.byteCount(ofPayload: text.count)
        case .run(let messages): messages.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// The frame or event for a client, or those of all joined messages.
    ///
    /// - Parameter settings: needed only for the first client of an agreement on compression.
    func frame(
        for form: MessageForm, _ settings: @autoclosure () -> DeflateSettings?, with compression: MessageCompression
    ) -> [UInt8] {
        switch form {
        case .event: event
        case .frame(nil): plainFrame
        case .frame(let deflate?): frame(for: deflate, settings, with: compression)
        }
    }

    private func frame(
        for deflate: DeflateAgreement, _ settings: () -> DeflateSettings?, with compression: MessageCompression
    ) -> [UInt8] {
        for choice in choices where choice.deflate == deflate { return choice.frame }
        let frame = makeFrame(for: deflate, settings(), with: compression)
        choices.append(Choice(deflate: deflate, frame: frame))
        return frame
    }

    private func makeFrame(
        for deflate: DeflateAgreement, _ settings: DeflateSettings?, with compression: MessageCompression
    ) -> [UInt8] {
        switch content {
        case .text(let text): text.withUnsafeBytes { compression.frame(.text, $0, deflate, settings) } ?? plainFrame
        case .run(let messages): Self.join(messages) { $0.frame(for: deflate, { settings }, with: compression) }
        }
    }

    private func makePlainFrame() -> [UInt8] {
        switch content {
        case .text(let text): text.withUnsafeBytes { FrameEncoder.encode(.text, $0, maskingKey: nil) }
        case .run(let messages): Self.join(messages) { $0.plainFrame }
        }
    }

    private func makeEvent() -> [UInt8] {
        switch content {
        case .text(let text): EventStreamEncoder.event(text)
        case .run(let messages): Self.join(messages) { $0.event }
        }
    }

    private static func join(_ messages: [OutgoingMessage], _ frame: (OutgoingMessage) -> [UInt8]) -> [UInt8] {
        var frames: [UInt8] = []
        frames.reserveCapacity(messages.reduce(0) { $0 + $1.byteCount })
        for message in messages { frames += frame(message) }
        return frames
    }
}
