/// One stream of publications.
package struct PublishPlan: Sendable {
    /// Who gets a publication.
    package enum Audience: Sendable, Hashable {
        /// All sessions.
        case everybody
        /// One of so many users, drawn anew each time. `isOnline`: each of them has a session.
        case oneOf(Int, isOnline: Bool)
        /// So many users in turn, who are not online.
        case inTurn(Int)
    }

    /// How a publication reaches the server.
    package enum Carrier: Sendable {
        /// A request each, on connections that are kept.
        case requests(HTTPPublication)
        /// Lines of one long request each (Belfry's `application/x-ndjson`), of which so many wait for their answer.
        case lines(HTTPPublication, underway: Int)
        /// A message on a WebSocket each, which nothing answers.
        case messages(Template, isBinary: Bool, SessionPlan)
    }

    package var name: String
    package var audience: Audience
    package var carrier: Carrier
    /// The users' names are this and a number.
    package var userPrefix: String
    /// Publications a second; nil: as fast as the answers come.
    package var rate: Double?
    /// So many connections publish side by side.
    package var publishers = 1
    /// So many publications at most may have been sent and not come to everybody; nil: any number.
    package var inFlight: Int?
    package var payloadBytes = 200

    package init(name: String, audience: Audience, carrier: Carrier, userPrefix: String) {
        (self.name, self.audience, self.carrier, self.userPrefix) = (name, audience, carrier, userPrefix)
    }

    /// How many sessions get each publication, of so many that are ready.
    package func frames(perPublicationTo ready: Int) -> Int {
        switch audience {
        case .everybody: ready
        case .oneOf(_, let isOnline): isOnline ? 1 : 0
        case .inTurn: 0
        }
    }

    /// Whether one more may leave, when so many have, and were not refused, and so many frames of them have come.
    package func mayGoOn(left: Int, framesEach: Int, frames: @autoclosure () -> Int) -> Bool {
        guard let inFlight, framesEach > 0 else { return true }
        return (left - inFlight) * framesEach < frames()
    }

    /// Whether the server answers each of them.
    package var isAnswered: Bool {
        switch carrier {
        case .requests, .lines: true
        case .messages: false
        }
    }
}
