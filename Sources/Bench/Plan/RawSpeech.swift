/// How to speak with a WebSocket server that is no Belfry.
package struct RawSpeech: Codable, Sendable {
    /// What a server's message is answered with, such as a ping of its own making.
    package struct Reply: Codable, Sendable {
        package var message: String
        package var answer: String

        package init(message: String, answer: String) {
            (self.message, self.answer) = (message, answer)
        }
    }

    /// Sent when the WebSocket is open, in this order.
    package var opening: [Template] = []
    /// The session is ready once a message has this text in it; nil: as soon as the opening was sent.
    package var readyText: String?
    package var replies: [Reply] = []
    /// Sends binary messages instead of text.
    package var isBinary = false

    package init() {}
}
