package import Inbox

/// An event's question, and one page of the people whom it asked.
package struct EventAnswers: Sendable, Hashable {
    /// One person of the event.
    package struct Person: Sendable, Hashable {
        /// Nil for an erased person.
        package let user: UserID?
        /// Nil if the person got none, and so was not asked.
        package let notification: NotificationID?
        package let state: State

        package init(user: UserID?, notification: NotificationID?, state: State) {
            (self.user, self.notification, self.state) = (user, notification, state)
        }
    }

    package enum State: Sendable, Hashable {
        case pending
        case answered(TrailAnswer, at: Timestamp)
        /// The notification is gone without an answer, so that only the question's default can still come.
        case gone
        /// The person was not asked: they had muted it, for example.
        case notAsked
    }

    package let event: TrailedEvent
    package let people: [Person]
    /// How many people to skip for the next page; nil at the end.
    package let next: Int?

    package init(event: TrailedEvent, people: [Person], next: Int?) {
        (self.event, self.people, self.next) = (event, people, next)
    }

    /// Those without an answer, though one can still come: by the person, or by the end of the time.
    package var unanswered: [UnansweredQuestion] {
        people.compactMap { person in
            guard let user = person.user, let notification = person.notification else { return nil }
            return switch person.state {
            case .pending: UnansweredQuestion(user: user, notification: notification)
            case .gone where event.question?.answerBy != nil && event.retractedAt == nil:
                UnansweredQuestion(user: user, notification: notification)
            case .gone, .answered, .notAsked: nil
            }
        }
    }

    /// Whether anybody has given an answer, rather than the end of the time.
    package var hasAnswer: Bool {
        people.contains { person in
            if case .answered(let answer, _) = person.state { answer.way != .expiry } else { false }
        }
    }
}
