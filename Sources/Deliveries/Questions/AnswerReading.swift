import Inbox
package import Store

/// Reads the answers to an event's question from its trail, as of one moment.
package struct AnswerReading {
    let reads: any TrailReads

    package init(reads: any TrailReads) { self.reads = reads }

    package func answers(_ query: TrailQuery) throws -> EventAnswers? {
        guard case .id(let id) = query.event else { return nil }
        let rows = try reads.rows(ofEvent: id)
        guard let event = rows.first?.event else { return nil }
        var people: [EventAnswers.Person] = []
        var count = 0
        for row in rows {
            for person in TrailedPerson.people(of: row.verdicts) {
                if count >= query.after, people.count < query.limit { people.append(try answer(of: person, to: event)) }
                count += 1
            }
        }
        let isAtEnd = people.isEmpty || query.after + people.count == count
        return EventAnswers(event: event, people: people, next: isAtEnd ? nil : query.after + people.count)
    }

    private func answer(of person: TrailedPerson, to event: TrailedEvent) throws -> EventAnswers.Person {
        let user = try person.stranger ?? person.inbox.flatMap { try reads.user(ofInbox: $0) }
        guard let inbox = person.inbox, let number = person.notification else {
            return EventAnswers.Person(user: user, notification: nil, state: .notAsked)
        }
        let id = NotificationID(inbox: inbox, sequence: number)
        let step = try reads.steps(of: id, since: event.acceptedAt).lazy.compactMap { step -> EventAnswers.State? in
            if case .answered(let answer) = step.step { .answered(answer, at: step.at) } else { nil }
        }.first
        return EventAnswers.Person(user: user, notification: id, state: try step ?? state(of: id))
    }

    private func state(of id: NotificationID) throws -> EventAnswers.State {
        // A push-only notification stands in no list; it goes with its push.
        if PushOnlyNumber.isOne(id.sequence) { return .pending }
        return try reads.state(of: id) == .gone ? .gone : .pending
    }
}
