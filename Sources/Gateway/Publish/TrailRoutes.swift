import Inbox
import JSON
import Push
import Storage
import Transport
import WireProtocol

/// What became of events, and what backends do to those that they published before.
struct TrailRoutes {
    enum Call: Sendable, Hashable {
        case event, key, person
        case retract, patch
    }

    private static let usualLimit = 100
    private static let maximumLimit = 1_000

    let node: Node

    /// - Parameter name: the event, the user or the key; empty for calls without one in their path.
    func serve(
        _ call: Call, _ name: String, _ query: HTTPQuery, from peer: Peer, _ request: HTTPRequest, _ reply: HTTPReply,
        _ on: borrowing OnShard
    ) {
        do throws(Problem) {
            switch call {
            case .event: try report(.id(name), query, reply)
            case .key: try report(Self.key(query, from: peer), query, reply)
            case .person: try person(UserID(parameter: name), query, reply)
            case .retract: RetractRoute(node: node).serve(key: name, by: peer.publisher, reply)
            case .patch: try PatchRoute(node: node).serve(query, by: peer.publisher, request, reply)
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    // MARK: One event

    /// A key is the asker's own, unless another publisher is named.
    private static func key(_ query: HTTPQuery, from peer: Peer) throws(Problem) -> TrailQuery.Name {
        guard let key = query["key"] else {
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "expected an event in the path, or key=… in the query")
        }
        return .key(key, publisher: query["publisher"] ?? peer.publisher)
    }

    private func report(_ name: TrailQuery.Name, _ query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        let user = try query["user"].map { text throws(Problem) in try UserID(parameter: text) }
        let question = TrailQuery(
            name, user: user, after: try number("after", query, in: 0...Int.max) ?? 0, limit: try limit(query))
        node.store.trail(of: question) { [self] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(nil): reply.send(Self.unknown(name).response)
            case .success(let report?): complete(report, about: user, reply)
            }
        }
    }

    /// Adds whether it is still being worked off, and what devices the person has who is asked about.
    private func complete(_ report: TrailReport, about user: UserID?, _ reply: HTTPReply) {
        node.store.broadcast(of: report.event.id) { [self] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let broadcast):
                let isProcessed = broadcast?.state != .working
                guard let user else { return reply.send(.json { report.write(isProcessed: isProcessed, to: &$0) }) }
                node.store.devices(of: user) { result in
                    switch result {
                    case .failure(let error): reply.send(Problem(error).response)
                    case .success(let devices):
                        choices(of: user, among: report.recipients, reply) { choices in
                            .json {
                                report.write(isProcessed: isProcessed, devices: devices, choices: choices, to: &$0)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Answers with what the person has chosen of the types that these decisions name.
    private func choices(
        of user: UserID, among decisions: [TrailedRecipient], _ reply: HTTPReply,
        _ response: @escaping @Sendable (TrailChoices) -> HTTPResponse
    ) {
        node.store.facts(of: user) { [node] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let facts):
                let types = decisions.compactMap(\.type)
                reply.send(response(TrailChoices(facts, types: types, in: node.currentCatalogs.catalogs)))
            }
        }
    }

    private static func unknown(_ name: TrailQuery.Name) -> Problem {
        let what =
            switch name {
            case .id(let id): "no event \"\(id)\""
            case .key(let key, let publisher): "no event with the key \"\(key)\" of the publisher \"\(publisher)\""
            }
        return Problem(
            status: 404, code: "unknown_event", detail: "\(what) is in the trail, which forgets events after trail.keep"
        )
    }

    // MARK: One person

    private func person(_ user: UserID, _ query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        node.store.trail(of: user, before: query["before"], limit: try limit(query)) { [self] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(nil):
                reply.send(
                    Problem(status: 404, code: "unknown_user", detail: "nothing was ever published to this user")
                        .response)
            case .success(let trail?):
                choices(of: user, among: trail.entries.flatMap(\.decisions), reply) { choices in
                    .json { trail.write(choices, to: &$0) }
                }
            }
        }
    }

    private func limit(_ query: HTTPQuery) throws(Problem) -> Int {
        try query.limit(usually: Self.usualLimit, atMost: Self.maximumLimit)
    }

    private func number(
        _ name: String, _ query: HTTPQuery, in range: ClosedRange<Int>
    ) throws(Problem) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
            let expected = "from \(range.lowerBound) \(end)"
            throw Problem(status: 400, code: "invalid_parameter", detail: "\(name): expected a number \(expected)")
        }
        return number
    }
}
