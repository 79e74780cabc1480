/// The protocol of a WebSocket server other than Belfry.
package struct RawSpeech: Codable, Sendable {
    /// A server's message and its answer, such as a ping of the server's own kind.
    package struct Reply: Codable, Sendable {
        package var message: String
        package var answer: String

        package init(message: String, answer: String) {
            (self.message, self.answer) = (message, answer)
        }
    }

    /// Sent in this order when the WebSocket has opened.
    package var opening: [Template] = []
    /// The session is ready after a message with this text; nil for ready as soon as the opening was sent.
    package var readyText: String?
    package var replies: [Reply] = []
    /// Whether messages are sent as binary instead of text.
    package var isBinary = false

    package init() {}
}
