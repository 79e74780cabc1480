import Inbox
import Push
import Testing

@testable import Storage

@Suite(.timeLimit(.minutes(1))) struct AcknowledgementDelayTests {
    private func begun() -> AcknowledgementDelay {
        var delay = AcknowledgementDelay()
        _ = delay.begin()
        return delay
    }

    @Test func `those that nothing else is written with are written when their time is over, once`() {
        var delay = AcknowledgementDelay()
        #expect(delay.begin() == true)
        #expect(delay.ended() == true)
        #expect(delay.takeAlong() == false)
        #expect(delay.begin() == true)
    }

    @Test func `what is written next takes them along, once`() {
        var delay = begun()
        #expect(delay.takeAlong() == true)
        #expect(delay.takeAlong() == false)
        #expect(delay.ended() == false)
    }

    @Test func `there is one timer, whose end is also that of those that came behind a write`() {
        var delay = begun()
        _ = delay.takeAlong()
        #expect(delay.begin() == false)
        #expect(delay.ended() == true)
    }

    @Test func `nothing is written where nothing waits`() {
        var delay = AcknowledgementDelay()
        #expect(delay.takeAlong() == false)
        #expect(delay.ended() == false)
    }

    @Test func `an acknowledgement behind which nothing is written cancels its push by itself`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.event("said", to: .ada)
            fixture.store.acknowledge(.ada, upTo: 1)
            // Only reads: a write would take it along.
            while try await fixture.steps(event).isEmpty { await Task.yield() }
            #expect(try await fixture.steps(event) == [.cancelled(.acknowledged)])
        }
    }
}
