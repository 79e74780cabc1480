import Dispatch
import Inbox
import Store
import Transport
import WireProtocol

/// `GET /v1/events/{event}/answers?wait=30`: what people answered to an event's question.
struct AnswersRoute {
    private static let usualLimit = 100
    private static let maximumLimit = 1_000
    /// Proxies give up a call without an answer after a minute.
    static let longestWait = Duration.seconds(55)

    let node: Node
    let app: AppName
    let publisher: Publisher

    func serve(_ event: String, _ query: HTTPQuery, _ reply: HTTPReply) throws(Problem) {
        let limit = try query.limit(usually: Self.usualLimit, atMost: Self.maximumLimit)
        let after = try query.number("after", in: 0...Int.max) ?? 0
        let wait = try query.number("wait", in: 0...Int(Self.longestWait.components.seconds)) ?? 0
        let goal = try goal(query)
        if wait > 0, !node.answerWaits.enter() {
            throw Problem(
                status: 503, code: "too_many_waits",
                detail: "\(AnswerWaits.maximum) calls wait for answers already", retryAfter: 1)
        }
        let waiting = WaitingCall(
            AnswerWait(goal: goal, waits: wait > 0), for: TrailQuery(.id(event), after: after, limit: limit),
            node: node, reply: reply, isKnown: { [app, publisher] in $0.app == app && publisher.reaches($0.publisher) })
        waiting.begin(atMost: wait)
    }

    private func goal(_ query: HTTPQuery) throws(Problem) -> AnswerWait.Goal {
        guard let text = query["until"] else { return .all }
        guard let goal = AnswerWait.Goal(rawValue: text) else {
            throw .parameter("until: expected \(Spelling.list(AnswerWait.Goal.allCases.map(\.rawValue)))")
        }
        return goal
    }
}
