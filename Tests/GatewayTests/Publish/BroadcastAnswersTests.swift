import Inbox
import Store
import Testing

@testable import Gateway

struct BroadcastAnswersTests {
    private func broadcast(
        _ event: String, _ state: Broadcast.State = .working, everybody: Bool = false, created: Int = 0
    ) -> Broadcast {
        Broadcast(
            event: event, state: state, isForEverybody: everybody, total: 9, created: created,
            acceptedAt: Timestamp(milliseconds: 0))
    }

    private let plain = PublishOutcome(
        event: "plain", recipients: 1, created: 1, updated: 0, suppressed: 0, isReplay: false)

    @Test func `an answer waits for all events for many that it tells about`() throws {
        var answers = BroadcastAnswers()
        let outcomes = [PublishOutcome(broadcast("a")), plain, PublishOutcome(broadcast("b"), isReplay: true)]
        let isHeld = answers.hold(outcomes) { _ in } == nil
        #expect(isHeld)
        #expect(answers.ended("a", broadcast("a", .done, created: 5)).isEmpty)
        #expect(answers.ended("other", broadcast("other", .done)).isEmpty)
        let due = answers.ended("b", broadcast("b", .abandoned("why"), created: 2))
        let told = try #require(due.first).result.get()
        #expect(told.map(\.created) == [5, 1, 2])
        #expect(told.map(\.isReplay) == [false, false, true])
        #expect(told.last?.broadcast?.state == .abandoned("why"))
        #expect(answers.refused(as: .closed).isEmpty)
    }

    @Test func `where everybody is meant, or all have it, the answer does not wait`() throws {
        var answers = BroadcastAnswers()
        let outcomes = [PublishOutcome(broadcast("a", everybody: true)), PublishOutcome(broadcast("b", .done)), plain]
        let due = try #require(answers.hold(outcomes) { _ in })
        #expect(try due.result.get() == outcomes)
    }

    @Test func `when the store takes no more all who wait are told why`() throws {
        var answers = BroadcastAnswers()
        _ = answers.hold([PublishOutcome(broadcast("a"))]) { _ in }
        _ = answers.hold([PublishOutcome(broadcast("a"))]) { _ in }
        #expect(answers.refused(as: .damaged).map(\.result) == [.failure(.damaged), .failure(.damaged)])
        #expect(answers.ended("a", nil).isEmpty)
    }

    @Test func `the feed items that an event for many has published stay in its answer`() throws {
        var answers = BroadcastAnswers()
        var outcome = PublishOutcome(broadcast("a"))
        let item = PublishedItem(feed: "posts", position: FeedPosition(epoch: "e1", offset: 7), isNew: true)
        outcome.items = [item]
        _ = answers.hold([outcome]) { _ in }
        let due = answers.ended("a", broadcast("a", .done, created: 5))
        #expect(try due.first?.result.get().map(\.items) == [[item]])
    }
}
