import Crypto

/// The `Topic` of a push (RFC 8030 §5.4): at most 32 characters of base64url.
///
/// Apple decodes it as base64, where a length of 1 modulo 4 is impossible, and refuses such a push: `BadWebPushTopic`
/// (measured in AltanS/collie, pull request 90). The other services only compare it.
enum WebPushTopic {
    /// The length that all services accept.
    static let maximumBytes = 32

    /// The topic of a collapse id: the id, filled up with `-` to a multiple of four. For an id that is too long, or has
    /// other characters, it is 192 bits of the id's SHA-256.
    ///
    /// Two ids never get the same topic, because an id that is filled up ends with a letter, a digit or `_`.
    static func text(of collapseID: String) -> String {
        let bytes = collapseID.utf8.count
        guard (1...maximumBytes).contains(bytes), Base64URL.isAlphabet(collapseID) else {
            return Base64URL.encode(SHA256.hash(data: Array(collapseID.utf8)).prefix(maximumBytes * 3 / 4))
        }
        return bytes % 4 == 0 ? collapseID : collapseID + String(repeating: "-", count: 4 - bytes % 4)
    }

    /// Whether all browsers' services accept the topic.
    static func isTaken(_ topic: String) -> Bool {
        (1...maximumBytes).contains(topic.utf8.count) && topic.utf8.count % 4 != 1 && Base64URL.isAlphabet(topic)
    }
}
