import Inbox
import Push
import Synchronization
import Testing

@testable import SQLiteStore
@testable import Store

@Suite(.mayNotHang) struct ClockJumpTests {
    private static let grace = Duration.seconds(4)

    private func jump(_ seconds: Int64, _ cause: ClockJump.Cause = .set, from old: Timestamp = .at(0)) -> ClockJump {
        ClockJump(
            span: .seconds(seconds), cause: cause, now: old + .seconds(seconds),
            reading: ClockReading(boot: "b1", offset: 7))
    }

    // MARK: The rule

    private func times(
        _ jump: ClockJump, due: Timestamp, expiry: Timestamp = .at(100_000), deadline: Timestamp? = nil,
        isDated: Bool = false, isFallback: Bool = false
    ) -> [Timestamp] {
        let times = jump.times(
            due: due, expiry: expiry, deadline: deadline, isDated: isDated, isFallback: isFallback, grace: Self.grace)
        return [times.due, times.expiry]
    }

    @Test(arguments: [3_600, -3_600] as [Int64])
    func `jobs that wait for a span go along, and have as long to live`(_ seconds: Int64) {
        let moved = times(jump(seconds), due: .at(60))
        #expect(moved == [.at(60 + seconds), .at(100_000 + seconds)])
    }

    @Test(arguments: [3_600, -3_600] as [Int64])
    func `a time of the calendar stays, and so does the publisher's last moment`(_ seconds: Int64) {
        #expect(times(jump(seconds), due: .at(9_000), isDated: true) == [.at(9_000), .at(100_000)])
        let dated = times(jump(seconds), due: .at(60), expiry: .at(9_000), deadline: .at(9_000))
        #expect(dated == [.at(60 + seconds), .at(9_000)])
        #expect(times(jump(3_600), due: .at(60), expiry: .at(8_000), deadline: .at(9_000))[1] == .at(9_000))
    }

    @Test func `a grace starts anew`() {
        #expect(times(jump(3_600), due: .at(1), isFallback: true)[0] == .at(3_604))
        #expect(times(jump(-3_600), due: .at(1), isFallback: true)[0] == .at(-3_596))
        // A job that waits for longer goes on waiting.
        #expect(times(jump(3_600), due: .at(60), isFallback: true)[0] == .at(3_660))
        // One whose day has come by the jump may be on somebody's screen as well.
        #expect(times(jump(3_600), due: .at(60), isDated: true, isFallback: true)[0] == .at(3_604))
    }

    @Test func `a push does not get younger by a sleep`() {
        #expect(times(jump(40, .sleep), due: .at(1), isFallback: true) == [.at(44), .at(100_000)])
    }

    // MARK: In the store

    private func follow(_ jump: ClockJump, _ fixture: StoreFixture) async throws {
        try await withCheckedThrowingContinuation { continuation in
            fixture.store.follow(jump) { continuation.resume(with: $0) }
        }
    }

    @Test(arguments: [3_600, -3_600] as [Int64])
    func `a grace that is under way when the clock is set ends after its span, once, also in the next process`(
        _ seconds: Int64
    ) async throws {
        let fixture = try StoreFixture()
        fixture.live.connect(.ada)
        try await fixture.store.register(.phone(), for: .ada)
        try await fixture.say("hi", to: .ada)
        #expect(try await fixture.store.leasePushJobs(at: .at(1)).jobs.isEmpty)
        try await follow(jump(seconds, from: .at(1)), fixture)
        #expect(try await fixture.store.leasePushJobs(at: .at(seconds + 4)).jobs.isEmpty)
        let later = try await fixture.reopened()
        #expect(later.store.lastClock == ClockReading(boot: "b1", offset: 7))
        #expect(try await later.store.leasePushJobs(at: .at(seconds + 4)).jobs.isEmpty)
        #expect(try await later.store.leasePushJobs(at: .at(seconds + 5)).jobs.count == 1)
        #expect(try await later.store.leasePushJobs(at: .at(seconds + 6)).jobs.isEmpty)
        await later.remove()
    }

    @Test func `an acknowledgement still cancels what has moved, and a retry waits for as long as it was to`()
        async throws
    {
        try await withStore { fixture in
            fixture.live.connect(.ada)
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(.phone(token: "token-2"), for: .bob)
            try await fixture.say("hi", to: .ada, .bob)
            let job = try await fixture.job(at: .at(0))
            let attempt = PushAttempt(failures: 1, expiry: job.attempt.expiry)
            try await fixture.store.settle(
                [PushOutcome(job: job, action: .retry(at: .at(60)), attempt: attempt)], at: .at(0))
            try await follow(jump(-3_600), fixture)
            fixture.store.acknowledge(.ada, upTo: 1)
            #expect(try await fixture.store.leasePushJobs(at: .at(-3_541)).jobs.isEmpty)
            let again = try await fixture.job(at: .at(-3_540))
            #expect(again.user == .bob && again.attempt.failures == 1)
            #expect(try await fixture.statistics().pushJobs == 1)
        }
    }

    @Test func `a push that is on its way is settled after the clock was set, and is not handed out twice`()
        async throws
    {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            let job = try await fixture.job(at: .at(0))
            try await follow(jump(3_600, from: .at(1)), fixture)
            #expect(try await fixture.store.leasePushJobs(at: .at(3_602)).jobs.isEmpty)
            try await fixture.store.settle(
                [PushOutcome(job: job, action: .finish, attempt: job.attempt)], at: .at(3_602))
            #expect(try await fixture.store.leasePushJobs(at: .at(9_000)).jobs.isEmpty)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test(arguments: [3_600, -3_600] as [Int64])
    func `a push that is on its way when the clock is set and the process dies leaves again at once`(_ seconds: Int64)
        async throws
    {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            _ = try await fixture.job(at: .at(0))
            try await follow(jump(seconds), fixture)
            let next = try await fixture.reopened()
            #expect(try await next.store.leasePushJobs(at: .at(seconds + 5)).jobs.count == 1)
            await next.store.close()
        }
    }

    @Test(arguments: [3_600, -3_600] as [Int64])
    func `a push that a publisher has dated leaves at its date`(_ seconds: Int64) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.publish(fixture.entry("said", to: [.ada], notBefore: .at(7_200)))
            try await follow(jump(seconds), fixture)
            #expect(try await fixture.store.leasePushJobs(at: .at(7_199)).jobs.isEmpty)
            #expect(try await fixture.store.leasePushJobs(at: .at(7_200)).jobs.count == 1)
        }
    }

    @Test(arguments: [3_600, -3_600] as [Int64])
    func `a badge and a gathered batch wait by the process' clock when that is away from the wall clock`(
        _ seconds: Int64
    ) async throws {
        let configure: StoreFixture.Configuration = { $0.clock = { .at(seconds) } }
        try await withStore(yaml: QuietTypes.yaml, configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.publish(fixture.entry("gathered", to: [.ada], occurredAt: .at(-10)), at: .at(0))
            #expect(try await fixture.store.leasePushJobs(at: .at(seconds)).nextDue == .at(seconds + 290))
        }
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.publish("shouted", "hi", to: .ada, at: .at(0))
            let job = try await fixture.job(at: .at(seconds))
            try await fixture.store.settle(
                [PushOutcome(job: job, action: .finish, attempt: job.attempt)], at: .at(seconds))
            try await fixture.store.apply(.read(.upTo(9)), for: .ada, at: .at(0))
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(seconds + 3)])
        }
    }

    @Test func `a damaged hour of pushes neither keeps the clock from following nor traps, and begins anew`()
        async throws
    {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.publish("upvoted", "one", to: .ada, at: .at(0))
            try await fixture.run("UPDATE push_pace SET start = \(Int64.max), ends_at = \(Int64.max)")
            try await follow(jump(3_600), fixture)
            #expect(try await fixture.store.leasePushJobs(at: .at(3_604)).jobs.count == 1)
            try await fixture.publish("upvoted", "two", to: .ada, at: .at(3_600))
            #expect(try await fixture.statistics().pushJobs == 2)
        }
    }

    @Test func `a write that was asked for before the clock was moved has the clock of the moment`() async throws {
        let configure: StoreFixture.Configuration = { $0.clock = { .at(3_600) } }
        try await withStore(configure) { fixture in
            fixture.live.connect(.ada)
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada, at: .at(0))
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).nextDue == .at(3_604))
        }
    }

    @Test func `what was judged before the clock was moved waits for as long as it was to`() async throws {
        let moved = Mutex(Duration.zero)
        let configure: StoreFixture.Configuration = { options in
            options.clockMoved = { moved.withLock { $0 } }
            options.webhooks = .twoEndpoints
        }
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.publish("shouted", "hi", to: .ada, at: .at(0))
            let job = try await fixture.job(at: .at(0))
            try await fixture.say("one", to: .bob)
            try await fixture.store.apply(.read(.upTo(9)), for: .bob, at: .at(0))
            let ids = try await fixture.store.leaseWebhooks(at: .at(0)).webhooks.map(\.id)
            #expect(!ids.isEmpty)
            moved.withLock { $0 = .seconds(-3_600) }
            try await follow(jump(-3_600, from: .at(0)), fixture)
            let attempt = PushAttempt(failures: 1, expiry: job.attempt.expiry)
            try await fixture.store.settle(job, as: .retry(at: .at(60)), attempt: attempt, at: .at(-3_600))
            for id in ids {
                try await fixture.store.settle(.putOff(id: id, until: .at(30), failures: 1, reason: "r"))
            }
            #expect(try await fixture.store.leasePushJobs(at: .at(-3_541)).nextDue == .at(-3_540))
            #expect(try await fixture.job(at: .at(-3_540)).attempt.clockMoved == .seconds(-3_600))
            #expect(try await fixture.store.leaseWebhooks(at: .at(-3_571)).webhooks.isEmpty)
            #expect(try await fixture.store.leaseWebhooks(at: .at(-3_570)).webhooks.map(\.id) == ids)
        }
    }

    @Test func `a push that is to follow one on its way waits along with the clock`() async throws {
        try await withStore(yaml: QuietTypes.yaml) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.add(1, to: .ada, at: .at(0))
            let job = try await fixture.job(at: .at(0))
            fixture.store.acknowledge(.ada, upTo: 1)
            try await fixture.add(1, to: .ada, at: .at(1))
            try await follow(jump(-3_600, from: .at(2)), fixture)
            try await fixture.store.settle(job, as: .finish, at: .at(-3_597))
            #expect(try await fixture.store.leasePushJobs(at: .at(-3_590)).jobs.count == 1)
        }
    }

    @Test func `webhooks wait along with the clock when that is moved`() async throws {
        let configure: StoreFixture.Configuration = { $0.webhooks = .twoEndpoints }
        try await withStore(yaml: StoreFixture.yaml, configure) { fixture in
            try await fixture.say("one", to: .ada)
            let ids = try await fixture.ids(of: .ada)
            _ = try await fixture.store.apply(.read(.ids(ids)), for: .ada, at: .at(1))
            let id = try await fixture.store.leaseWebhooks(for: "reads", at: .at(1)).webhooks[0].id
            try await fixture.store.settle(.putOff(id: id, until: .at(20), failures: 1, reason: "r"))
            try await follow(jump(-1_000, from: .at(10)), fixture)
            #expect(try await fixture.store.leaseWebhooks(for: "reads", at: .at(-981)).webhooks.isEmpty)
            #expect(try await fixture.store.leaseWebhooks(for: "reads", at: .at(-980)).webhooks.map(\.id) == [id])
        }
    }
}
