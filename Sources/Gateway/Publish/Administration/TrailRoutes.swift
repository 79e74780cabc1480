import Inbox
import JSON
import Push
import Store
import Transport
import WireProtocol

/// The trail of events and of people.
struct TrailRoutes {
    private static let usualLimit = 100
    private static let maximumLimit = 1_000

    let node: Node
    let app: AppName
    let publisher: Publisher

    // MARK: One event

    /// The key is the caller's own, unless another publisher is named.
    func report(keyIn query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        guard let key = query["key"] else {
            throw .parameter("expected an event in the path, or key=… in the query")
        }
        try report(.key(key, publisher: app.key(query["publisher"] ?? publisher.name)), query, reply)
    }

    func report(_ name: TrailQuery.Name, _ query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        let user = try query["user"].map { text throws(Problem) in try UserID(parameter: text, in: app) }
        let question = TrailQuery(
            name, user: user, after: try query.number("after", in: 0...Int.max) ?? 0, limit: try limit(query))
        let unknown = Self.unknown(name)
        let completion = reply.then(or: unknown) { (report: TrailReport) in
            guard report.event.app == app, publisher.reaches(report.event.publisher) else {
                return reply.send(unknown.response)
            }
            complete(report, about: user, reply)
        }
        node.store.trail(of: question, completion: completion)
    }

    /// Adds whether the event is still being delivered, and the devices of the person asked about.
    private func complete(_ report: TrailReport, about user: UserID?, _ reply: HTTPReply) {
        let completion = reply.then { (broadcast: Broadcast?) in
            let isProcessed = broadcast?.state != .working
            guard let user else { return reply.send(.json { report.write(isProcessed: isProcessed, to: &$0) }) }
            let completion = reply.then { (devices: [Device]) in
                choices(of: user, among: report.recipients, reply) { choices in
                    .json { report.write(isProcessed: isProcessed, devices: devices, choices: choices, to: &$0) }
                }
            }
            node.store.devices(of: user, completion: completion)
        }
        node.store.broadcast(of: report.event.id, completion: completion)
    }

    /// Answers with the person's choices about the types of these decisions.
    private func choices(
        of user: UserID, among decisions: [TrailedRecipient], _ reply: HTTPReply,
        _ response: @escaping @Sendable (TrailChoices) -> HTTPResponse
    ) {
        let completion = reply.answer { [node] (facts: PersonFacts) in
            let types = decisions.compactMap(\.type)
            return response(TrailChoices(facts, types: types, in: node.catalogs(of: user.app).catalogs))
        }
        node.store.facts(of: user, completion: completion)
    }

    private static func unknown(_ name: TrailQuery.Name) -> Problem {
        let what =
            switch name {
            case .id(let id): "no event \"\(id)\""
            case .key(let key, let publisher):
                "no event with the key \"\(key)\" of the publisher \"\(AppName.name(ofKey: publisher))\""
            }
        return Problem(
            status: 404, code: "unknown_event", detail: "\(what) is in the trail, which forgets events after trail.keep"
        )
    }

    // MARK: One person

    func person(_ user: String, _ query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        guard publisher.reachesOthers else {
            throw Problem(
                status: 403, code: "call_not_allowed",
                detail: "a person's trail has events of all publishers: expected the right \"others\"")
        }
        let user = try UserID(parameter: user, in: app)
        let unknown = Problem(status: 404, code: "unknown_user", detail: "nothing was ever published to this user")
        let completion = reply.then(or: unknown) { (trail: PersonalTrail) in
            choices(of: user, among: trail.entries.flatMap(\.decisions), reply) { choices in
                .json { trail.write(choices, to: &$0) }
            }
        }
        node.store.trail(of: user, before: query["before"], limit: try limit(query), completion: completion)
    }

    private func limit(_ query: HTTPQuery) throws(Problem) -> Int {
        try query.limit(usually: Self.usualLimit, atMost: Self.maximumLimit)
    }
}
