package import Inbox

/// How the sink misbehaves for one request.
package enum SinkFault: Sendable, Hashable {
    /// A provider's own refusal in place of its answer.
    case answer(Answer)
    /// The request is swallowed: the sender's deadline has to end it.
    case noAnswer
    /// The connection takes no new requests, as before a provider's restart (RFC 9113 §6.8).
    case goAway
    /// The request's stream is reset.
    case reset
    /// The right answer, but late.
    case delay(Duration)

    package struct Answer: Sendable, Hashable {
        package var status: Int
        /// The provider's word for it: `Unregistered`.
        package var reason: String?
        /// Since when the device is gone.
        package var timestamp: Timestamp?
        package var retryAfter: Duration?

        package init(
            status: Int, reason: String? = nil, timestamp: Timestamp? = nil, retryAfter: Duration? = nil
        ) {
            self.status = status
            self.reason = reason
            self.timestamp = timestamp
            self.retryAfter = retryAfter
        }
    }
}
