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
            let writer = AnswerWriter(open: open, now: now)
            for person in people { try writer.settle(person, of: question) }
            return .success(())
        }
    }

    package func answers(
        of query: TrailQuery, completion: @escaping @Sendable (Result<EventAnswers?, StoreError>) -> Void
    ) {
        read(completion) { reads in try AnswerReading(reads: reads.trail).answers(query) }
    }
}
