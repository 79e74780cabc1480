import Inbox
import Push
import Synchronization
import Testing

@testable import SQLiteStore
@testable import Store

@Suite(.mayNotHang) struct AcknowledgementDelayTests {
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

    @Test func `the next write takes them along, once`() {
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

    // MARK: With what is written next

    /// No acknowledgement is written by itself.
    private func onlyAlong(_ options: inout SQLiteStoreOptions) { options.acknowledgementDelay = .seconds(3_600) }

    @Test func `no push is handed out before acknowledgements of more people than fit into one commit`() async throws {
        let users = (0..<5).map { UserID.user("user-\($0)") }
        let configure: StoreFixture.Configuration = {
            onlyAlong(&$0)
            $0.rowsPerCommit = 2
        }
        try await withStore(configure) { fixture in
            for (place, user) in users.enumerated() {
                try await fixture.store.register(.phone(token: "token-\(place)"), for: user)
            }
            for user in users { try await fixture.say("hi", to: user) }
            for user in users { fixture.store.acknowledge(user, upTo: 1) }
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).jobs.isEmpty)
        }
    }

    @Test func `acknowledgements that the store has no room for are written later`() async throws {
        let configure: StoreFixture.Configuration = {
            onlyAlong(&$0)
            $0.waitingRows = 1
        }
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let event = try await fixture.event("said", to: .ada)
            let refusals = Mutex<[StoreError]>([])
            try await fixture.whileHeld {
                fixture.store.apply(.seen(upTo: 0), for: .bob, at: .at(0)) { _ in }  // takes the room
                fixture.store.acknowledge(.ada, upTo: 1)
                fixture.store.apply(.seen(upTo: 0), for: .bob, at: .at(0)) { result in
                    if case .failure(let error) = result { refusals.withLock { $0.append(error) } }
                }
            }
            #expect(refusals.withLock(\.self) == [.overloaded])
            // Room that comes between the acknowledgement and the event would be the event's.
            while fixture.store.waitingRows > 0 { await Task.yield() }
            while (try? await fixture.say("behind", to: .bob)) == nil { await Task.yield() }
            #expect(try await fixture.steps(event) == [.cancelled(.acknowledged)])
        }
    }

    @Test func `a store that closes writes those that wait`() async throws {
        let fixture = try StoreFixture(onlyAlong)
        fixture.live.connect(.ada)
        try await fixture.store.register(.phone(), for: .ada)
        try await fixture.say("hi", to: .ada)
        fixture.store.acknowledge(.ada, upTo: 1)
        let later = try await fixture.reopened()
        let waiting = try await later.statistics().pushJobs
        await later.remove()
        #expect(waiting == 0)
    }
}
