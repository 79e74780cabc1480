import Inbox
import JSON
import Store
import Testing

extension Store {
    func answer(
        _ action: String, to notification: NotificationID, of user: UserID, by way: Answer.Way = .live,
        at now: Timestamp = .at(1)
    ) async throws -> AnswerOutcome {
        let given = GivenAnswer(user: user, notification: notification, action: action, way: way, now: now)
        return try await withCheckedThrowingContinuation { waiting in answer(given) { waiting.resume(with: $0) } }
    }

    func settle(_ people: [UnansweredQuestion], of question: Question, at now: Timestamp) async throws {
        try await withCheckedThrowingContinuation { waiting in
            settle(people, of: question, at: now) { waiting.resume(with: $0) }
        }
    }

    @discardableResult
    func settleQuestions(at now: Timestamp) async throws -> SettledQuestions {
        try await withCheckedThrowingContinuation { waiting in
            settleQuestions(at: now) { waiting.resume(with: $0) }
        }
    }

    func answers(to event: String, after: Int = 0, limit: Int = 100) async throws -> EventAnswers? {
        try await withCheckedThrowingContinuation { waiting in
            answers(of: TrailQuery(.id(event), after: after, limit: limit)) { waiting.resume(with: $0) }
        }
    }
}

extension StoreFixture {
    /// Publishes an event that asks, and returns its id.
    func ask(
        _ question: Question = .deployment(), to users: UserID..., type: String = "said", key: String? = nil,
        at now: Timestamp = .at(0)
    ) async throws -> String {
        let event = Event(
            type: type, key: key, actor: ["id": "renee", "username": "renee"],
            to: [.init(name: "people", users: users)], data: ["text": "Deploy?", "things": [1]], question: question)
        return try #require(try await publish(entry(event), at: now).first).event
    }

    /// The question of the person's newest notification, with its answer.
    func asked(of user: UserID) async throws -> AskedQuestion? {
        try await store.page(of: user).notifications.first.flatMap { AskedQuestion(of: $0.content) }
    }
}

extension Question {
    static func deployment(answerBy: Timestamp? = nil, fallback: String? = nil) -> Question {
        Question(
            actions: [.init(id: "approve", label: "Approve"), .init(id: "reject", label: "Reject")],
            answerBy: answerBy, fallback: fallback)
    }
}
