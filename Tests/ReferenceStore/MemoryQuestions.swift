import Deliveries
import Inbox

final class MemoryQuestions: MemoryPart, QuestionRows {
    func insert(_ questions: [OpenQuestion]) { for question in questions { state.questions[question.id] = question } }

    func take(_ ids: [NotificationID]) -> [OpenQuestion] { ids.compactMap { state.questions.removeValue(forKey: $0) } }

    func due(_ limit: Int, at now: Timestamp) -> [NotificationID] {
        let due = state.questions.values.filter { $0.answerBy <= now }.sorted { first, second in
            (first.answerBy, first.id.inbox, first.id.sequence) < (second.answerBy, second.id.inbox, second.id.sequence)
        }
        return due.prefix(limit).map(\.id)
    }

    func nextDue(after now: Timestamp) -> Timestamp? {
        state.questions.values.map(\.answerBy).filter { $0 > now }.min()
    }
    func remove(inbox: Int64) { state.questions = state.questions.filter { $0.key.inbox != inbox } }
}
