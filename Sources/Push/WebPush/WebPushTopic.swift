import Crypto

/// The `Topic` of a push (RFC 8030 §5.4): at most 32 characters of base64url.
///
/// Apple decodes it as base64, in which no text has a length of 1 modulo 4, and refuses such a push: `BadWebPushTopic`
/// (measured in AltanS/collie, pull request 90). The other services compare it and never decode it.
enum WebPushTopic {
    /// What all services take.
    static let maximumBytes = 32

    /// The topic of a collapse id: that itself, filled up with `-` to a multiple of four; of one that is too long, or
    /// holds anything else than such letters, 192 bits of its SHA-256.
    ///
    /// Collapse ids that are filled up end with a letter, a digit or `_`. So no two of them get the same topic.
    static func text(of collapseID: String) -> String {
        let bytes = collapseID.utf8.count
        guard (1...maximumBytes).contains(bytes), Base64URL.isAlphabet(collapseID) else {
            return Base64URL.encode(SHA256.hash(data: Array(collapseID.utf8)).prefix(maximumBytes * 3 / 4))
        }
        return bytes % 4 == 0 ? collapseID : collapseID + String(repeating: "-", count: 4 - bytes % 4)
    }

    /// Whether each browser's service takes it.
    static func isTaken(_ topic: String) -> Bool {
        (1...maximumBytes).contains(topic.utf8.count) && topic.utf8.count % 4 != 1 && Base64URL.isAlphabet(topic)
    }
}
