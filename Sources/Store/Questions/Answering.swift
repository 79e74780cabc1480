package import Inbox

/// Questions of notifications, and their answers. Calls and completions as in ``Store``.
package protocol Answering: AnyObject, Sendable {
    /// Stores a person's answer, unless the question has one. The first answer stands, over all devices.
    func answer(
        _ given: GivenAnswer, completion: @escaping @Sendable (Result<AnswerOutcome, StoreError>) -> Void)

    /// Ends the time of an event's question for people who have not answered: from then on they have an answer, the
    /// default or none. Does nothing for those who have one, and before ``Question/answerBy``.
    func settle(
        _ people: [UnansweredQuestion], of question: Question, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Ends the time of all questions whose ``Question/answerBy`` has come, as ``settle(_:of:at:completion:)`` does for
    /// one. In pages, so that other writes come between them.
    func settleQuestions(
        at now: Timestamp, completion: @escaping @Sendable (Result<SettledQuestions, StoreError>) -> Void)

    /// One page of the people that an event has asked, with their answers; nil for an unknown event.
    func answers(of query: TrailQuery, completion: @escaping @Sendable (Result<EventAnswers?, StoreError>) -> Void)
}
