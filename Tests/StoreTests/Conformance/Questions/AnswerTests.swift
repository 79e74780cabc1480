import Deliveries
import Inbox
import Push
import Store
import Testing

@Suite(.everyEngine) struct AnswerTests {
    @Test func `the first answer stands, and every session sees it`() async throws {
        try await withStore { fixture in
            let event = try await fixture.ask(to: .ada, .bob)
            let id = try #require(try await fixture.ids(of: .ada).first)
            #expect(try await fixture.asked(of: .ada)?.answer == nil)
            let answer = Answer(action: "approve", at: .at(1), way: .live)
            #expect(try await fixture.store.answer("approve", to: id, of: .ada) == .stored(answer))
            let later = try await fixture.store.answer("reject", to: id, of: .ada, by: .rest, at: .at(2))
            #expect(later == .earlier(answer))
            #expect(try await fixture.asked(of: .ada)?.answer == answer)
            #expect(try await fixture.asked(of: .bob)?.answer == nil)
            let updates = fixture.told(to: .ada).compactMap { change -> AskedQuestion? in
                if case .update(let row) = change.kind { AskedQuestion(of: row.content) } else { nil }
            }
            #expect(updates.map(\.answer) == [answer])
            #expect(try await fixture.steps(event) == [.answered(TrailAnswer(answer))])
        }
    }

    @Test func `who answers has read it, and its pushes go`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.ask(to: .ada)
            let id = try #require(try await fixture.ids(of: .ada).first)
            _ = try await fixture.store.answer("approve", to: id, of: .ada)
            let state = try await fixture.store.state(of: .ada)
            #expect((state.unread, state.total) == (0, 1))
            #expect(try await fixture.store.leasePushJobs(at: .at(9)).jobs.isEmpty)
            let answer = TrailAnswer(Answer(action: "approve", at: .at(1), way: .live))
            #expect(try await Set(fixture.steps(event)) == [.answered(answer), .cancelled(.read)])
        }
    }

    @Test func `an answer needs a question, one of its actions, and a notification of one's own`() async throws {
        try await withStore { fixture in
            _ = try await fixture.ask(to: .ada)
            let id = try #require(try await fixture.ids(of: .ada).first)
            let unknown = try await fixture.store.answer("perhaps", to: id, of: .ada)
            #expect(unknown == .unknownAction(["approve", "reject"]))
            #expect(try await fixture.store.answer("approve", to: id, of: .bob) == .unknownNotification)
            try await fixture.say("no question", to: .bob)
            let other = try #require(try await fixture.ids(of: .bob).first)
            #expect(try await fixture.store.answer("approve", to: other, of: .ada) == .unknownNotification)
            #expect(try await fixture.store.answer("approve", to: other, of: .bob) == .asksNothing)
            try await fixture.store.apply(.remove(.ids([id])), for: .ada)
            #expect(try await fixture.store.answer("approve", to: id, of: .ada) == .unknownNotification)
        }
    }

    @Test func `an answer at the end of the time is too late, and the default stands`() async throws {
        try await withStore { fixture in
            let event = try await fixture.ask(.deployment(answerBy: .at(60), fallback: "reject"), to: .ada, .bob)
            let (ada, bob) = (
                try #require(try await fixture.ids(of: .ada).first), try #require(try await fixture.ids(of: .bob).first)
            )
            let late = Answer(action: "reject", at: .at(60), way: .expiry)
            #expect(try await fixture.store.answer("approve", to: ada, of: .ada, at: .at(60)) == .earlier(late))
            #expect(try await fixture.asked(of: .ada)?.answer == late)
            // Nobody has looked at it.
            #expect(try await fixture.store.state(of: .ada).unread == 1)
            let last = Timestamp(milliseconds: Timestamp.at(60).milliseconds - 1)
            let answer = Answer(action: "approve", at: last, way: .live)
            #expect(try await fixture.store.answer("approve", to: bob, of: .bob, at: last) == .stored(answer))
            let states = try #require(try await fixture.store.answers(to: event)).people.map(\.state)
            #expect(states == [.answered(TrailAnswer(late), at: .at(60)), .answered(TrailAnswer(answer), at: last)])
        }
    }

    @Test func `settling gives the default to those who have not answered, once the time has ended`() async throws {
        try await withStore { fixture in
            let question = Question.deployment(answerBy: .at(60), fallback: "reject")
            let event = try await fixture.ask(question, to: .ada, .bob, .user("cleo"))
            let bob = try #require(try await fixture.ids(of: .bob).first)
            let cleo = try #require(try await fixture.ids(of: .user("cleo")).first)
            let unanswered = try #require(try await fixture.store.answers(to: event)).unanswered
            #expect(unanswered.map(\.user) == [.ada, .bob, .user("cleo")])
            try await fixture.store.settle(unanswered, of: question, at: .at(59))
            #expect(try await fixture.store.answers(to: event)?.unanswered == unanswered)
            _ = try await fixture.store.answer("approve", to: bob, of: .bob)
            // Who removes a question leaves it to the default.
            try await fixture.store.apply(.remove(.ids([cleo])), for: .user("cleo"))
            #expect(try await fixture.store.answers(to: event)?.people.last?.state == .gone)
            try await fixture.store.settle(unanswered, of: question, at: .at(61))
            let answers = try #require(try await fixture.store.answers(to: event))
            let late = EventAnswers.State.answered(
                TrailAnswer(Answer(action: "reject", at: .at(61), way: .expiry)), at: .at(61))
            let given = EventAnswers.State.answered(
                TrailAnswer(Answer(action: "approve", at: .at(1), way: .live)), at: .at(1))
            #expect(answers.people.map(\.state) == [late, given, late])
            #expect(answers.unanswered.isEmpty)
        }
    }

    @Test func `answers outlive the notification, the store's end and a retraction`() async throws {
        try await withStore { fixture in
            let event = try await fixture.ask(to: .ada, .bob, key: "k")
            let id = try #require(try await fixture.ids(of: .ada).first)
            _ = try await fixture.store.answer("reject", to: id, of: .ada, by: .push)
            try await fixture.store.apply(.remove(.upTo(99)), for: .ada)
            _ = try await fixture.store.retract("k", try StoreFixture.catalogs(), at: .at(3))
            let answers = try #require(try await fixture.store.answers(to: event))
            let given = TrailAnswer(Answer(action: "reject", at: .at(1), way: .push))
            #expect(answers.people.map(\.state) == [.answered(given, at: .at(1)), .gone])
            #expect(answers.event.question == .deployment())
            #expect(answers.unanswered.isEmpty)
        }
    }

    @Test func `a question stands alone, though its type batches, and is answered where it is only pushed`()
        async throws
    {
        try await withStore { fixture in
            let first = try await fixture.ask(to: .ada, type: "added")
            let second = try await fixture.ask(to: .ada, type: "added")
            let ids = try await fixture.ids(of: .ada)
            #expect(ids.count == 2)
            _ = try await fixture.store.answer("approve", to: ids[0], of: .ada)
            #expect(try await fixture.store.answers(to: first)?.unanswered.count == 1)
            #expect(try await fixture.store.answers(to: second)?.unanswered.isEmpty == true)
        }
    }

    @Test func `people of an event are told page by page, those who were not asked too`() async throws {
        try await withStore { fixture in
            let event = try await fixture.ask(to: .ada, .user("renee"), .bob)
            let first = try #require(try await fixture.store.answers(to: event, limit: 2))
            #expect(first.next == 2)
            let second = try #require(try await fixture.store.answers(to: event, after: 2, limit: 2))
            #expect(second.next == nil)
            #expect((first.people + second.people).map(\.state) == [.pending, .pending, .notAsked])
            #expect(try await fixture.store.answers(to: "event-unknown") == nil)
        }
    }
}
