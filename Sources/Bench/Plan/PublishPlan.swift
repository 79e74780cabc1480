/// One stream of publications.
package struct PublishPlan: Sendable {
    /// The recipients of a publication.
    package enum Audience: Sendable, Hashable {
        /// All sessions.
        case everybody
        /// One of a number of users, drawn anew each time. `isOnline`: each of them has a session.
        case oneOf(Int, isOnline: Bool)
        /// A number of users in turn, all without a session.
        case inTurn(Int)
    }

    /// The way of a publication to the server.
    package enum Carrier: Sendable {
        /// Each is a request, on connections that are kept.
        case requests(HTTPPublication)
        /// Each is a line of one long request (Belfry's `application/x-ndjson`). `underway` lines may wait for an
        /// answer.
        case lines(HTTPPublication, underway: Int)
        /// Each is a message on a WebSocket, without an answer.
        case messages(Template, isBinary: Bool, SessionPlan)
    }

    package var name: String
    package var audience: Audience
    package var carrier: Carrier
    /// The prefix of the users' names; a number follows.
    package var userPrefix: String
    /// Publications a second; nil for as fast as answers come.
    package var rate: Double?
    /// The number of connections that publish side by side.
    package var publishers = 1
    /// The most publications that were sent and have not reached everybody; nil for any number.
    package var inFlight: Int?
    package var payloadBytes = 200

    package init(name: String, audience: Audience, carrier: Carrier, userPrefix: String) {
        (self.name, self.audience, self.carrier, self.userPrefix) = (name, audience, carrier, userPrefix)
    }

    /// The number of sessions that get each publication, of the ready ones.
    package func frames(perPublicationTo ready: Int) -> Int {
        switch audience {
        case .everybody: ready
        case .oneOf(_, let isOnline): isOnline ? 1 : 0
        case .inTurn: 0
        }
    }

    /// Whether one more may be sent, by the number sent and not refused, and the number of received frames.
    package func mayGoOn(left: Int, framesEach: Int, frames: @autoclosure () -> Int) -> Bool {
        guard let inFlight, framesEach > 0 else { return true }
        return (left - inFlight) * framesEach < frames()
    }

    /// Whether the server answers each publication.
    package var isAnswered: Bool {
        switch carrier {
        case .requests, .lines: true
        case .messages: false
        }
    }
}
