import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `GET /api/notifications/{id}/explain`: the decisions about one of the caller's own notifications, with reasons.
struct ExplainRoute {
    let node: Node
    let user: UserID

    func serve(_ id: String, _ reply: HTTPReply) throws(Problem) {
        guard node.settings.trail.isExplained || node.settings.isDevelopment else { throw Self.off }
        // Another person's notification gets the same answer as one that never existed.
        guard let id = NotificationID(id) else { throw .notFound }
        let firstName: @Sendable (Timestamp) -> String = { EventName.make(at: $0, chance: (0, 0)) }
        let completion = reply.then(or: .notFound) { explain(id, $0, reply) }
        node.store.trail(of: id, user: user, firstName: firstName, completion: completion)
    }

    private func explain(_ id: NotificationID, _ trail: NotificationTrail, _ reply: HTTPReply) {
        let completion = reply.answer { [node] (facts: PersonFacts) in
            let types = trail.entries.flatMap(\.decisions).compactMap(\.type)
            let choices = TrailChoices(facts, types: types, in: node.catalogs(of: user.app).catalogs)
            let explained = ExplainedNotification(id: id, trail: trail, choices: choices)
            return .json { explained.write(to: &$0) }
        }
        node.store.facts(of: user, completion: completion)
    }

    private static let off = Problem(
        status: 403, code: "explain_off",
        detail: "explanations are off (trail.explain)")
}
