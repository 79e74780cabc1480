import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `GET /v1/events/{event}`: the progress of an event that is delivered page by page.
struct BroadcastRoute {
    let node: Node
    let app: AppName
    let publisher: Publisher

    func serve(_ event: String, _ reply: HTTPReply) {
        let completion = reply.answer(or: Self.unknown) { [app, publisher] (broadcast: Broadcast) in
            broadcast.app == app && publisher.reaches(broadcast.publisher)
                ? Self.response(broadcast) : Self.unknown.response
        }
        node.store.broadcast(of: event, completion: completion)
    }

    private static let unknown = Problem(
        status: 404, code: "unknown_event",
        detail: "no event with this id was delivered in pages, or that ended more than a day ago; see GET /v1/trail")

    private static func response(_ broadcast: Broadcast) -> HTTPResponse {
        .object { json in
            json.member("event", broadcast.event)
            json.member("state", broadcast.state.name)
            if case .abandoned(let reason) = broadcast.state { json.member("reason", reason) }
            json.member("recipients", broadcast.recipients)
            json.member("created", broadcast.created)
            json.member("updated", broadcast.updated)
            json.member("suppressed", broadcast.suppressed)
            json.member("total", broadcast.total)
            json.member("acceptedAt", broadcast.acceptedAt.iso8601)
            if let endedAt = broadcast.endedAt { json.member("endedAt", endedAt.iso8601) }
        }
    }
}

extension Broadcast.State {
    /// The name in answers.
    var name: String {
        switch self {
        case .working: "working"
        case .done: "done"
        case .abandoned: "abandoned"
        }
    }
}
