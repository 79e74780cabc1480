import Inbox
import Push
import Store
import Testing

@testable import Gateway

struct AnswerWaitTests {
    private static let user = UserID("ada", in: .unnamed)!
    private static let pending = person("ada", 1, .pending)
    private static let answered = person("ada", 1, .answered(TrailAnswer("live approve")!, at: .init(milliseconds: 5)))
    private static let late = person("ada", 1, .answered(TrailAnswer("expiry approve")!, at: .init(milliseconds: 5)))

    private static func person(_ name: String, _ number: Int64, _ state: EventAnswers.State) -> EventAnswers.Person {
        .init(user: UserID(name, in: .unnamed), notification: NotificationID(inbox: number, sequence: 1), state: state)
    }

    private static func answers(_ people: EventAnswers.Person..., answerBy: Int64? = nil) -> EventAnswers {
        let question = Question(
            actions: [.init(id: "approve", label: "Approve")], answerBy: answerBy.map { Timestamp(milliseconds: $0) },
            fallback: answerBy.map { _ in "approve" })
        let event = TrailedEvent(
            id: "evt", publisher: "backend", key: nil, type: "asked", actor: nil, occurredAt: nil,
            acceptedAt: Timestamp(milliseconds: 0), repeats: 0, repeatedAt: nil, retractedAt: nil, question: question)
        return EventAnswers(event: event, people: people, next: nil)
    }

    private static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func `without a wait the first look is the answer`() {
        var wait = AnswerWait(goal: .all, waits: false)
        let answers = Self.answers(Self.pending)
        #expect(wait.read(answers, isDelivered: true, at: Self.at(1)) == .answer(answers))
    }

    @Test func `it listens before its last look, rests, and looks again at news`() {
        var wait = AnswerWait(goal: .all, waits: true)
        let open = Self.answers(Self.pending, answerBy: 100)
        #expect(wait.read(open, isDelivered: true, at: Self.at(1)) == .listen([Self.user]))
        #expect(wait.listening() == .look)
        #expect(wait.read(open, isDelivered: true, at: Self.at(1)) == .rest(until: Self.at(100)))
        #expect(wait.news() == .look)
        // News during a look leads to another one.
        #expect(wait.news() == nil)
        #expect(wait.read(open, isDelivered: true, at: Self.at(2)) == .look)
        let done = Self.answers(Self.answered, answerBy: 100)
        #expect(wait.read(done, isDelivered: true, at: Self.at(3)) == .answer(done))
        #expect(wait.news() == nil)
        #expect(wait.ended() == nil)
    }

    @Test func `the end of the wait gives what is there`() {
        var wait = AnswerWait(goal: .all, waits: true)
        let open = Self.answers(Self.pending)
        _ = wait.read(open, isDelivered: true, at: Self.at(1))
        _ = wait.listening()
        #expect(wait.read(open, isDelivered: true, at: Self.at(1)) == .rest(until: nil))
        #expect(wait.ended() == .look)
        #expect(wait.read(open, isDelivered: true, at: Self.at(1)) == .answer(open))
    }

    @Test func `the end of the wait during a look takes that look`() {
        var wait = AnswerWait(goal: .all, waits: true)
        let open = Self.answers(Self.pending)
        #expect(wait.ended() == nil)
        #expect(wait.read(open, isDelivered: true, at: Self.at(1)) == .answer(open))
    }

    @Test func `one answer is enough for the goal of one, but not the end of somebody's time`() {
        let bob = Self.person("bob", 2, .pending)
        var first = AnswerWait(goal: .first, waits: true)
        let one = Self.answers(Self.answered, bob)
        #expect(first.read(one, isDelivered: true, at: Self.at(1)) == .answer(one))
        var all = AnswerWait(goal: .all, waits: true)
        #expect(all.read(one, isDelivered: true, at: Self.at(1)) == .listen([bob.user!]))
        var late = AnswerWait(goal: .first, waits: true)
        #expect(late.read(Self.answers(Self.late, bob), isDelivered: true, at: Self.at(1)) == .listen([bob.user!]))
    }

    @Test func `a question whose time has ended is settled once, with or without a wait`() {
        for waits in [false, true] {
            var wait = AnswerWait(goal: .all, waits: waits)
            let open = Self.answers(Self.pending, answerBy: 100)
            let question = open.event.question!
            #expect(wait.read(open, isDelivered: true, at: Self.at(100)) == .settle(open.unanswered, question))
            #expect(wait.news() == nil)
            #expect(wait.settled() == .look)
            let settled = Self.answers(Self.late, answerBy: 100)
            #expect(wait.read(settled, isDelivered: true, at: Self.at(100)) == .answer(settled))
        }
        var damaged = AnswerWait(goal: .all, waits: false)
        let open = Self.answers(Self.pending, answerBy: 100)
        _ = damaged.read(open, isDelivered: true, at: Self.at(100))
        _ = damaged.settled()
        #expect(damaged.read(open, isDelivered: true, at: Self.at(100)) == .answer(open))
    }

    @Test func `an event that is still delivered has more people to come`() {
        var wait = AnswerWait(goal: .all, waits: true)
        #expect(wait.read(Self.answers(), isDelivered: false, at: Self.at(1)) == .listen([]))
    }
}
