package import Inbox
package import JSON

/// How the sink misbehaves for one request.
package enum SinkFault: Sendable, Hashable {
    /// What became of a request whose answer never arrives.
    package enum Fate: String, Sendable, Hashable, CaseIterable {
        /// The service took nothing of it.
        case lost
        /// The service did its work first: the phone shows a push of which the sender does not know.
        case delivered
    }

    /// The last request that a GOAWAY frame (RFC 9113 §6.8) says was taken.
    package enum LastStream: String, Sendable, Hashable, CaseIterable {
        /// None from this one on: the sender is to repeat them elsewhere.
        case none
        /// This one, which is still answered.
        case this
    }

    /// A provider's own refusal in place of its answer.
    case answer(Answer)
    /// The request is swallowed: the sender's deadline has to end it.
    case noAnswer(Fate)
    /// The connection takes no new requests, as before a provider's restart.
    case goAway(LastStream)
    /// The request's stream is reset.
    case reset(Fate)
    /// The stream is reset with the word that nothing was done (RFC 9113 §8.7): the sender may repeat at once.
    case refuseStream
    /// The connection is closed, with all requests that are under way on it.
    case drop(Fate)
    /// The right answer, but late.
    case delay(Duration)

    package struct Answer: Sendable, Hashable {
        package var status: Int
        /// The provider's word for it: `Unregistered`.
        package var reason: String?
        /// Since when the device is gone.
        package var timestamp: Timestamp?
        package var retryAfter: Duration?
        /// More headers, in place of the service's own of the same name; names in lower case.
        package var headers: [String: String]
        /// In place of the service's own; a string is a text that is no JSON.
        package var body: JSONValue?

        package init(
            status: Int, reason: String? = nil, timestamp: Timestamp? = nil, retryAfter: Duration? = nil,
            headers: [String: String] = [:], body: JSONValue? = nil
        ) {
            self.status = status
            self.reason = reason
            self.timestamp = timestamp
            self.retryAfter = retryAfter
            self.headers = headers
            self.body = body
        }
    }

    /// The word for it in scripts and logs.
    package var name: String {
        switch self {
        case .answer: "answer"
        case .noAnswer: "noAnswer"
        case .goAway: "goAway"
        case .reset: "reset"
        case .refuseStream: "refuseStream"
        case .drop: "drop"
        case .delay: "delay"
        }
    }
}
