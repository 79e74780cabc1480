import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `PUT …/notifications/{id}/answer` with `{"action": "approve"}`: a person's answer to a notification's question.
struct AnswerRoute {
    /// How a caller may say that an answer was given.
    private static let ways: [Answer.Way] = [.rest, .push]

    let node: Node
    let user: UserID

    /// For the person's own call, which may come from a button of a push: `"by": "push"`.
    func serve(_ notification: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let body = try JSONBody(request.body)
        var way = Answer.Way.rest
        if let text = try body.optionalText("by") {
            guard let named = Self.ways.first(where: { $0.rawValue == text }) else {
                throw .member("invalid_value", "by", "expected \(Spelling.list(Self.ways.map(\.rawValue)))")
            }
            way = named
        }
        serve(try Self.action(in: body), to: notification, by: way, reply)
    }

    /// For a backend, on the person's behalf.
    func serve(fromBackend notification: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        serve(try Self.action(in: JSONBody(request.body)), to: notification, by: .publisher, reply)
    }

    static func action(in body: JSONBody) throws(Problem) -> String {
        guard let action = try body.optionalText("action") else {
            throw .member("missing_field", "action", "expected the id of one of the question's actions")
        }
        return action
    }

    func serve(_ action: String, to notification: String, by way: Answer.Way, _ reply: HTTPReply) {
        guard let id = NotificationID(notification) else { return reply.send(Self.unknown.response) }
        let given = GivenAnswer(user: user, notification: id, action: action, way: way, now: node.now())
        node.store.answer(given, completion: reply.answer { Self.response($0, to: action) })
    }

    private static func response(_ outcome: AnswerOutcome, to action: String) -> HTTPResponse {
        switch outcome {
        case .stored(let answer): accepted(answer)
        // A call that was sent again, as its answer was lost.
        case .earlier(let answer) where answer.action.map { ExactText($0) == ExactText(action) } ?? false:
            accepted(answer)
        case .earlier(let answer): answered(answer).response
        case .unknownAction(let ids):
            Problem(
                status: 422, code: "unknown_action",
                detail: "expected one of the question's actions: \(Spelling.list(ids.map { "\"\($0)\"" }))",
                pointer: "/action"
            ).response
        case .asksNothing:
            Problem(status: 422, code: "asks_nothing", detail: "the notification asks nothing").response
        case .unknownNotification: unknown.response
        }
    }

    private static func accepted(_ answer: Answer) -> HTTPResponse {
        .object { $0.member("answer", .object(answer.json)) }
    }

    /// The notification itself shows which answer stands.
    private static func answered(_ answer: Answer) -> Problem {
        let detail =
            answer.way == .expiry
            ? "the time to answer has ended" : "the question was answered before, and the first answer stands"
        return Problem(status: 409, code: answer.way == .expiry ? "too_late" : "already_answered", detail: detail)
    }

    private static let unknown = Problem(
        status: 404, code: "unknown_notification", detail: "the person has no such notification, or no longer")
}
