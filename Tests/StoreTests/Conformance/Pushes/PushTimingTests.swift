import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// Which of the events that a batch gathers are pushed.
@Suite(.everyEngine) struct PushTimingTests {
    private func withPhone(
        _ provider: Device.Provider = .apns, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(yaml: QuietTypes.yaml) { fixture in
            var phone = Device.phone()
            phone.provider = provider
            try await fixture.store.register(phone, for: .ada)
            try await body(fixture)
        }
    }

    private func send(_ fixture: StoreFixture, at now: Int64, _ provider: Device.Provider = .apns) async throws
        -> PushMessage
    {
        let job = try await fixture.job(of: provider, at: .at(now))
        try await fixture.store.settle(job, as: .finish, at: .at(now))
        return job.message
    }

    private func add(_ fixture: StoreFixture, _ type: String = "added", at now: Int64, occurredAt: Int64? = nil)
        async throws
    {
        _ = try await fixture.publish(
            fixture.entry(type, to: [.ada], occurredAt: occurredAt.map { .at($0) }), at: .at(now))
    }

    // MARK: Each

    @Test(arguments: [Device.Provider.apns, .webpush])
    func `each time it grows it is pushed again, in the place of the push before`(provider: Device.Provider)
        async throws
    {
        try await withPhone(provider) { fixture in
            var messages: [PushMessage] = []
            for second in Int64(0)..<3 {
                try await add(fixture, at: second)
                messages.append(try await send(fixture, at: second, provider))
            }
            #expect(messages.map(\.texts.body) == ["one thing", "2 things", "3 things"])
            #expect(Set(messages.map(\.collapseID)).count == 1)
            #expect(messages.map(\.rev) == [1, 2, 3])
            #expect(try await fixture.store.leasePushJobs(for: provider, at: .at(10)).jobs.isEmpty)
        }
    }

    @Test func `as long as the push waits, it only says more`() async throws {
        try await withPhone { fixture in
            fixture.live.connect(.ada)
            for second in Int64(0)..<3 { try await add(fixture, at: second) }
            #expect(try await send(fixture, at: 4).texts.body == "3 things")
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test(arguments: [PushAction.finish, .retry(at: .at(20))])
    func `a growth while its push is on its way follows it`(action: PushAction) async throws {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let job = try await fixture.job(at: .at(0))
            try await add(fixture, at: 1)
            try await add(fixture, at: 2)
            try await fixture.store.settle(
                job, as: action, attempt: PushAttempt(failures: 1, expiry: job.attempt.expiry), at: .at(3))
            #expect(try await send(fixture, at: 20).texts.body == "3 things")
            #expect(try await fixture.store.leasePushJobs(at: .at(30)).jobs.isEmpty)
        }
    }

    @Test(arguments: [PushAction.finish, .abandon(reason: "no"), .retry(at: .at(4))])
    func `acknowledged as it has grown while its push is on its way, nothing follows`(action: PushAction) async throws {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let job = try await fixture.job(at: .at(0))
            fixture.live.connect(.ada)
            try await add(fixture, at: 1)
            fixture.store.acknowledge(.ada, upTo: 2)
            try await fixture.store.settle(job, as: action, at: .at(3))
            #expect(try await fixture.store.leasePushJobs(at: .at(60)).jobs.isEmpty)
        }
    }

    @Test(arguments: [PushAction.finish, .abandon(reason: "no"), .retry(at: .at(4))])
    func `acknowledged as it was before it grew while its push is on its way, a push follows`(action: PushAction)
        async throws
    {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let job = try await fixture.job(at: .at(0))
            fixture.live.connect(.ada)
            try await add(fixture, at: 1)
            fixture.store.acknowledge(.ada, upTo: 1)
            try await fixture.store.settle(
                job, as: action, attempt: PushAttempt(failures: 1, expiry: job.attempt.expiry), at: .at(3))
            #expect(try await send(fixture, at: 60).texts.body == "2 things")
        }
    }

    @Test func `an acknowledgement by somebody else leaves what follows a push alone`() async throws {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let job = try await fixture.job(at: .at(0))
            try await add(fixture, at: 1)
            try await fixture.store.register(.phone("phone", token: "bob's"), for: .bob)
            fixture.store.acknowledge(.bob, upTo: 2)
            try await fixture.store.settle(job, as: .finish, at: .at(3))
            #expect(try await send(fixture, at: 60).texts.body == "2 things")
        }
    }

    @Test func `read while its push is on its way, nothing follows but the withdrawal`() async throws {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let job = try await fixture.job(at: .at(0))
            try await add(fixture, at: 1)
            try await fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(2))
            try await fixture.store.settle(job, as: .finish, at: .at(3))
            let badge = try await fixture.job(at: .at(10))
            #expect((badge.message.content, badge.message.withdrawn) == (nil, [job.message.collapseID]))
        }
    }

    @Test func `an acknowledgement of what was before the growth does not cancel its push`() async throws {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            _ = try await send(fixture, at: 0)
            fixture.live.connect(.ada)
            try await add(fixture, at: 1)
            fixture.store.acknowledge(.ada, upTo: 1)
            #expect(try await send(fixture, at: 5).texts.body == "2 things")
            try await add(fixture, at: 6)
            fixture.store.acknowledge(.ada, upTo: 3)
            #expect(try await fixture.store.leasePushJobs(at: .at(20)).jobs.isEmpty)
        }
    }

    @Test func `an acknowledgement of what was before the growth does not cancel the push that waits for both`()
        async throws
    {
        try await withPhone { fixture in
            fixture.live.connect(.ada)
            try await add(fixture, at: 0)
            try await add(fixture, at: 1)
            fixture.store.acknowledge(.ada, upTo: 1)
            #expect(try await send(fixture, at: 5).texts.body == "2 things")
            try await add(fixture, at: 6)
            try await add(fixture, at: 7)
            fixture.store.acknowledge(.ada, upTo: 4)
            #expect(try await fixture.store.leasePushJobs(at: .at(20)).jobs.isEmpty)
        }
    }

    @Test func `an acknowledgement of what was before the growth does not cancel a push that is tried again`()
        async throws
    {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let job = try await fixture.job(at: .at(0))
            try await add(fixture, at: 1)
            try await fixture.store.settle(
                job, as: .retry(at: .at(20)), attempt: PushAttempt(failures: 1, expiry: job.attempt.expiry), at: .at(3))
            fixture.store.acknowledge(.ada, upTo: 1)
            #expect(try await send(fixture, at: 20).texts.body == "2 things")
        }
    }

    @Test func `read while a later push of it waits, the earlier one is withdrawn`() async throws {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let shown = try await send(fixture, at: 0)
            fixture.live.connect(.ada)
            try await add(fixture, at: 1)
            try await fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(2))
            #expect(try await send(fixture, at: 10).withdrawn == [shown.collapseID])
        }
    }

    @Test func `acknowledged while a later push of it waits, the earlier one can still be withdrawn`() async throws {
        try await withPhone { fixture in
            try await add(fixture, at: 0)
            let shown = try await send(fixture, at: 0)
            fixture.live.connect(.ada)
            try await add(fixture, at: 1)
            fixture.store.acknowledge(.ada, upTo: 2)
            try await fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(2))
            #expect(try await send(fixture, at: 10).withdrawn == [shown.collapseID])
        }
    }

    @Test func `a growth in quiet hours waits for their end`() async throws {
        try await QuietTypes.withQuiet { fixture in
            try await add(fixture, at: 3_559)
            _ = try await send(fixture, at: 3_559)
            try await add(fixture, at: 3_560)
            #expect(try await fixture.store.leasePushJobs(at: .at(7_159)).jobs.isEmpty)
            #expect(try await send(fixture, at: 7_160).texts.body == "2 things")
        }
    }

    // MARK: Trailing

    @Test func `one push at the end of the window tells all`() async throws {
        try await withPhone { fixture in
            for second in [Int64(0), 100, 299] { try await add(fixture, "gathered", at: second) }
            #expect(try await fixture.store.leasePushJobs(at: .at(299)).jobs.isEmpty)
            #expect(try await send(fixture, at: 300).texts.body == "3 things")
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `the window is one of the events' time, but never makes a push wait for longer than itself`()
        async throws
    {
        try await withPhone { fixture in
            try await add(fixture, "gathered", at: 1_000, occurredAt: 900)
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(1_200)])
            try await add(fixture, "gathered", at: 2_000, occurredAt: 90_000)
            #expect(fixture.commits.last?.nextPushDue == [.apns: .at(2_300)])
        }
    }

    @Test func `a batch that is read before has no push, and the next one waits anew`() async throws {
        try await withPhone { fixture in
            try await add(fixture, "gathered", at: 0)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(10))
            try await add(fixture, "gathered", at: 20)
            #expect(try await fixture.store.leasePushJobs(at: .at(319)).jobs.isEmpty)
            #expect(try await send(fixture, at: 320).texts.body == "one thing")
        }
    }

    // MARK: Groups

    @Test func `a push tells how many of its group the phone shows with it`() async throws {
        try await withPhone { fixture in
            var messages: [PushMessage] = []
            for second in Int64(0)..<3 {
                try await fixture.publish("asked", "one", to: .ada, at: .at(second))
                messages.append(try await send(fixture, at: second))
            }
            #expect(messages.map(\.group?.count) == [1, 2, 3])
            #expect(messages.map(\.group?.text) == ["a request", "2 requests", "3 requests"])
            _ = try await fixture.publish(fixture.entry("asked", to: [.ada], actor: "pete"), at: .at(5))
            #expect(try await send(fixture, at: 5).group?.count == 1)
            let ids = try await fixture.ids(of: .ada)
            try await fixture.store.apply(.read(.ids([ids[1], ids[2]])), for: .ada, at: .at(6))
            #expect(try await send(fixture, at: 10).content == nil)
            try await fixture.publish("asked", "one", to: .ada, at: .at(11))
            #expect(try await send(fixture, at: 11).group?.count == 2)
            try await fixture.publish("said", "without a group", to: .ada, at: .at(12))
            #expect(try await send(fixture, at: 12).group == nil)
        }
    }
}
