package import Inbox
package import Store

/// Questions and answers.
extension StoreEngine {
    package func answer(
        _ given: GivenAnswer, completion: @escaping @Sendable (Result<AnswerOutcome, StoreError>) -> Void
    ) {
        write(for: given.user, completion) { open in try AnswerWriter(open: open, now: given.now).apply(given) }
    }

    package func settle(
        _ people: [UnansweredQuestion], of question: Question, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(
            rows: people.count, isRehearsal: false, owner: nil, expecting: ExpectedPeople(people.map(\.user)),
            completion
        ) { open in
            if question.isOver(at: now) { try AnswerWriter(open: open, now: now).settle(people.map(\.notification)) }
            return .success(())
        }
    }

    package func settleQuestions(
        at now: Timestamp, completion: @escaping @Sendable (Result<SettledQuestions, StoreError>) -> Void
    ) {
        let limit = rules.recipientsPerPage
        work(rows: limit, from: SettledQuestions(), completion) { open, settled in
            let due = try open.dueQuestions(limit, at: now)
            try AnswerWriter(open: open, now: now).settle(due)
            settled.count += due.count
            guard due.count < limit else { return false }
            settled.nextDue = try open.rows.questions.nextDue(after: now)
            return true
        }
    }

    package func answers(
        of query: TrailQuery, completion: @escaping @Sendable (Result<EventAnswers?, StoreError>) -> Void
    ) {
        read(completion) { reads in try AnswerReading(reads: reads.trail).answers(query) }
    }
}
