package import Inbox
import Store

/// Questions whose time ends.
extension OpenTransaction {
    /// Notes that a person's notification asks until a time. Written with all else.
    func add(_ question: OpenQuestion) {
        newQuestions.append(question)
        commit.nextQuestionDue = min(commit.nextQuestionDue ?? question.answerBy, question.answerBy)
    }

    /// As ``QuestionRows/take(_:)``.
    package func take(_ ids: [NotificationID]) throws -> [OpenQuestion] {
        try writeQuestions()
        return try rows.questions.take(ids)
    }

    /// As ``QuestionRows/due(_:at:)``.
    package func dueQuestions(_ limit: Int, at now: Timestamp) throws -> [NotificationID] {
        try writeQuestions()
        return try rows.questions.due(limit, at: now)
    }

    func writeQuestions() throws {
        if newQuestions.isEmpty { return }
        try rows.questions.insert(newQuestions)
        newQuestions.removeAll()
    }
}
