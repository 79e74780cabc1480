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
        node.store.trail(of: id, user: user, firstName: firstName) { [self] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(nil): reply.send(Problem.notFound.response)
            case .success(let trail?): explain(id, trail, reply)
            }
        }
    }

    private func explain(_ id: NotificationID, _ trail: NotificationTrail, _ reply: HTTPReply) {
        node.store.facts(of: user) { [node] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let facts):
                let types = trail.entries.flatMap(\.decisions).compactMap(\.type)
                let choices = TrailChoices(facts, types: types, in: node.currentCatalogs.catalogs)
                let explained = ExplainedNotification(id: id, trail: trail, choices: choices)
                reply.send(.json { explained.write(to: &$0) })
            }
        }
    }

    private static let off = Problem(
        status: 403, code: "explain_off",
        detail: "explanations are off (trail.explain)")
}
