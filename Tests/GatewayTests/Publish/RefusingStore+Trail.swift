import Inbox
import Store
import Testing

extension RefusingStore {
    func trail(of query: TrailQuery, completion: @escaping @Sendable (Result<TrailReport?, StoreError>) -> Void) {
        refuseTrail()
    }

    func trail(
        of user: UserID, before: String?, limit: Int,
        completion: @escaping @Sendable (Result<PersonalTrail?, StoreError>) -> Void
    ) { refuseTrail() }

    func trail(
        of notification: NotificationID, user: UserID, firstName: @escaping @Sendable (Timestamp) -> String,
        completion: @escaping @Sendable (Result<NotificationTrail?, StoreError>) -> Void
    ) { refuseTrail() }

    func outcomes(
        ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp,
        completion: @escaping @Sendable (Result<[PublishOutcome]?, StoreError>) -> Void
    ) { refuseTrail() }

    func rehearse(
        _ publication: Publication, limit: Int,
        completion: @escaping @Sendable (Result<[Rehearsal], StoreError>) -> Void
    ) { refuseTrail() }

    func retract(
        key: String, by publisher: String, catalogs: CatalogSet, at now: Timestamp,
        completion: @escaping @Sendable (Result<Retraction?, StoreError>) -> Void
    ) { refuseTrail() }

    func patch(_ patch: NotificationPatch, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
        refuseTrail()
    }

    func answer(_ given: GivenAnswer, completion: @escaping @Sendable (Result<AnswerOutcome, StoreError>) -> Void) {
        refuseTrail()
    }

    func settle(
        _ people: [UnansweredQuestion], of question: Question, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuseTrail() }

    func settleQuestions(
        at now: Timestamp, completion: @escaping @Sendable (Result<SettledQuestions, StoreError>) -> Void
    ) { refuseTrail() }

    func answers(of query: TrailQuery, completion: @escaping @Sendable (Result<EventAnswers?, StoreError>) -> Void) {
        refuseTrail()
    }

    private func refuseTrail(_ caller: String = #function) {
        Issue.record("the store of this test was asked to \(caller)")
    }
}
