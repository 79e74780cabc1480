import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// `GET /api/notifications/{id}/explain`: what was decided about a notification of one's own, and why.
struct ExplainRoute {
    let node: Node
    let user: UserID

    func serve(_ id: String, _ reply: HTTPReply, _ on: borrowing OnShard) {
        guard node.settings.trail.isExplained || node.settings.isDevelopment else {
            return reply.send(Self.off.response, on)
        }
        // Whoever asks for another's learns as little as for one that never was.
        guard let id = NotificationID(id) else { return reply.send(Problem.notFound.response, on) }
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
