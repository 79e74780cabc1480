package import Inbox
package import JSON

/// A fault that the sink shows for one request.
package enum SinkFault: Sendable, Hashable {
    /// The fate of a request whose answer never arrives.
    package enum Fate: String, Sendable, Hashable, CaseIterable {
        /// The service did not process the request.
        case lost
        /// The service processed the request: the phone shows a push that the sender does not know of.
        case delivered
    }

    /// The last processed request, as a GOAWAY frame tells it (RFC 9113 §6.8).
    package enum LastStream: String, Sendable, Hashable, CaseIterable {
        /// This request and later ones are not processed: the sender must repeat them elsewhere.
        case none
        /// This request, which is still answered.
        case this
    }

    /// A provider's refusal in place of its normal reply.
    case answer(Answer)
    /// The request gets no answer: the sender's deadline must end it.
    case noAnswer(Fate)
    /// The connection takes no new requests, as before a provider's restart.
    case goAway(LastStream)
    /// The request's stream is reset.
    case reset(Fate)
    /// The stream is reset, and tells that the request was not processed (RFC 9113 §8.7): the sender may repeat it at
    /// once.
    case refuseStream
    /// The connection is closed, with all its requests under way.
    case drop(Fate)
    /// The normal reply, but late.
    case delay(Duration)

    package struct Answer: Sendable, Hashable {
        package var status: Int
        /// The provider's code: `Unregistered`.
        package var reason: String?
        /// The time since which the device is gone.
        package var timestamp: Timestamp?
        package var retryAfter: Duration?
        /// Further headers; they replace the service's own of the same name. Names in lower case.
        package var headers: [String: String]
        /// Replaces the service's body; a string is sent as text instead of JSON.
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

    /// The name in scripts and logs.
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
