import Inbox
import Push
import Store
import Testing

/// Pushes of one queue that two stores hand out, each in a process of its own.
@Suite(.ifPostgresIsTested) struct SharedPushTests {
    private static func people(_ count: Int) -> [UserID] { (0..<count).map { .user("user-\($0)") } }

    private func withPhone(
        _ body: @escaping @Sendable (_ first: StoreFixture, _ second: StoreFixture) async throws -> Void
    ) async throws {
        try await withTwoStores(yaml: QuietTypes.yaml) { first, second in
            try await first.store.register(.phone(), for: .ada)
            try await body(first, second)
        }
    }

    private func add(_ fixture: StoreFixture, at now: Int64) async throws {
        let entry = try fixture.entry("added", to: [.ada])
        _ = try await fixture.publish(entry, at: .at(now))
    }

    private func acknowledge(_ fixture: StoreFixture, upTo seq: Int64) async throws {
        try await withCheckedThrowingContinuation { waiting in
            fixture.store.acknowledge(.ada, upTo: seq, at: .at(0)) { waiting.resume(with: $0) }
        }
    }

    private func jobs(_ fixture: StoreFixture, of provider: Device.Provider = .apns, at now: Int64) async throws
        -> [PushJob]
    {
        try await fixture.store.leasePushJobs(for: provider, at: .at(now)).jobs
    }

    // MARK: Leases

    @Test func `two stores that lease at once hand out each push once`() async throws {
        try await withTwoStores { first, second in
            let users = Self.people(60)
            for user in users { try await first.store.register(.phone(token: user.name), for: user) }
            for text in ["one", "two"] {
                for user in users { try await first.publish("shouted", text, to: user, at: .at(0)) }
            }
            for text in ["one", "two"] {
                var left: [PushJob] = []
                while left.count < users.count {
                    async let ones = first.store.leasePushJobs(7, at: .at(1)).jobs
                    async let others = second.store.leasePushJobs(7, at: .at(1)).jobs
                    left += try await ones + others
                }
                #expect(left.map(\.body) == left.map { _ in text })
                #expect(Set(left.map(\.user)) == Set(users))
                #expect(left.count == users.count)
                // Each store may settle what the other has handed out.
                let outcomes = left.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
                async let one: Void = first.store.settle(Array(outcomes.prefix(30)), at: .at(2))
                async let other: Void = second.store.settle(Array(outcomes.dropFirst(30)), at: .at(2))
                _ = try await (one, other)
            }
            #expect(try await second.statistics().pushJobs == 0)
        }
    }

    @Test func `a store that is gone keeps its pushes until their leases end`() async throws {
        try await withPhone { first, second in
            try await first.say("hi", to: .ada)
            #expect(try await jobs(first, at: 0).map(\.body) == ["hi"])
            await first.store.close()
            let early = try await second.store.leasePushJobs(at: .at(29))
            #expect(early.jobs.isEmpty)
            #expect(early.nextDue == .at(30))
            #expect(try await jobs(second, at: 30).map(\.body) == ["hi"])
        }
    }

    @Test func `a store that settles too late changes nothing for the other one`() async throws {
        try await withPhone { first, second in
            try await first.say("hi", to: .ada)
            let late = try await first.job(at: .at(0))
            let job = try await second.job(at: .at(30))
            try await first.store.settle(late, as: .retry(at: .at(90)), at: .at(31))
            #expect(try await jobs(first, at: 32).isEmpty)
            try await second.store.settle(job, as: .finish, at: .at(32))
            #expect(try await first.statistics().pushJobs == 0)
        }
    }

    @Test func `a push that one store has put off holds up its device at the other`() async throws {
        try await withPhone { first, second in
            for text in ["one", "two"] { try await second.say(text, to: .ada) }
            let job = try await first.job(at: .at(0))
            try await first.store.settle(
                job, as: .retry(at: .at(20)), attempt: PushAttempt(failures: 1, expiry: job.attempt.expiry), at: .at(1))
            #expect(try await jobs(second, at: 19).isEmpty)
            #expect(try await jobs(second, at: 20).map(\.body) == ["one"])
        }
    }

    // MARK: What happens while a push is on its way

    @Test func `a push that grows at one store is followed when the other has settled it`() async throws {
        try await withPhone { first, second in
            try await add(first, at: 0)
            let job = try await first.job(at: .at(0))
            try await add(second, at: 1)
            try await first.store.settle(job, as: .finish, at: .at(2))
            #expect(try await second.job(at: .at(3)).body == "2 things")
        }
    }

    @Test func `an acknowledgement at one store cancels what is to follow at the other`() async throws {
        try await withPhone { first, second in
            try await add(first, at: 0)
            let job = try await first.job(at: .at(0))
            try await add(second, at: 1)
            try await acknowledge(second, upTo: 2)
            try await first.store.settle(job, as: .finish, at: .at(2))
            #expect(try await jobs(first, at: 3).isEmpty)
            #expect(try await jobs(second, at: 3).isEmpty)
        }
    }

    @Test func `an acknowledgement at one store cancels a push that the other has not leased`() async throws {
        try await withPhone { first, second in
            try await first.say("hi", to: .ada)
            try await acknowledge(second, upTo: 1)
            #expect(try await jobs(first, at: 60).isEmpty)
            #expect(try await first.statistics().pushJobs == 0)
        }
    }

    @Test func `reading at one store frees what waits at the other behind a push that was put off`() async throws {
        try await withPhone { first, second in
            for text in ["one", "two"] { try await first.say(text, to: .ada) }
            let job = try await first.job(at: .at(0))
            try await first.store.settle(
                job, as: .retry(at: .at(20)), attempt: PushAttempt(failures: 1, expiry: job.attempt.expiry), at: .at(1))
            #expect(try await jobs(first, at: 2).isEmpty)
            try await second.store.apply(.read(.upTo(1)), for: .ada, at: .at(2))
            #expect(try #require(second.commits.last?.nextPushDue[.apns]) <= .at(2))
            #expect(try await jobs(first, at: 2).map(\.body) == ["two"])
        }
    }

    @Test func `what is read at one store while the other pushes corrects the badge`() async throws {
        try await withPhone { first, second in
            for text in ["one", "two"] { try await first.publish("shouted", text, to: .ada, at: .at(0)) }
            let ids = try await second.ids(of: .ada)
            try await first.store.settle(try await first.job(at: .at(0)), as: .finish, at: .at(0))
            let job = try await first.job(at: .at(0))
            #expect(job.message.badge == 2)
            try await second.store.apply(.read(.ids([ids[1]])), for: .ada, at: .at(1))
            try await first.store.settle(job, as: .finish, at: .at(2))
            let badge = try await second.job(at: .at(10))
            #expect(badge.message.badge == 1)
        }
    }

    // MARK: Devices

    @Test func `a device that moves to another provider at one store is no longer on lease at the other`() async throws
    {
        try await withPhone { first, second in
            for text in ["one", "two"] { try await first.say(text, to: .ada) }
            let job = try await first.job(at: .at(0))
            let moved = Device(id: "phone", provider: .fcm, token: "token-9", registeredAt: .at(1))
            try await second.store.register(moved, for: .ada)
            let next = try await second.job(of: .fcm, at: .at(1))
            #expect(next.body == "one")
            // The late yes says that the person has got it.
            try await first.store.settle(job, as: .finish, at: .at(2))
            try await second.store.settle(next, as: .finish, at: .at(2))
            #expect(try await jobs(first, of: .fcm, at: 3).map(\.body) == ["two"])
            #expect(try await jobs(first, at: 60).isEmpty)
        }
    }

    @Test func `a device that is forgotten at one store gets nothing more from the other`() async throws {
        try await withPhone { first, second in
            for text in ["one", "two"] { try await first.say(text, to: .ada) }
            let job = try await first.job(at: .at(0))
            #expect(try await second.store.unregister("phone", of: .ada))
            try await first.store.settle(job, as: .finish, at: .at(1))
            #expect(try await jobs(first, at: 60).isEmpty)
            #expect(try await first.statistics().pushJobs == 0)
            try await second.store.register(.phone(token: "token-2", at: .at(61)), for: .ada)
            try await second.say("three", to: .ada, at: .at(61))
            #expect(try await jobs(first, at: 61).map(\.body) == ["three"])
        }
    }

    @Test func `a person who was erased at one store is not created again when the other settles`() async throws {
        try await withPhone { first, second in
            try await first.say("hi", to: .ada)
            let job = try await first.job(at: .at(0))
            _ = try await second.store.erase(.ada)
            try await first.store.settle(job, as: .finish, at: .at(1))
            #expect(try await first.statistics().inboxes == 0)
        }
    }

    @Test func `a token that moves to somebody else at one store leaves the owner's counts right`() async throws {
        try await withPhone { first, second in
            try await second.store.register(.phone(), for: .bob)
            try await first.say("for ada", to: .ada)
            try await first.say("for bob", to: .bob)
            #expect(try await jobs(first, at: 0).map(\.body) == ["for bob"])
            #expect(try await second.store.devices(of: .ada).isEmpty)
        }
    }

    // MARK: The clock

    @Test func `a clock that was set on one machine moves nobody's pushes`() async throws {
        try await withPhone { first, second in
            try await first.store.register(.phone("tablet", token: "token-2"), for: .ada)
            let entry = try first.entry("said", to: [.ada], notBefore: .at(100))
            _ = try await first.publish(entry)
            let jump = ClockJump(
                span: .seconds(3_600), cause: .set, now: .at(3_600), reading: ClockReading(boot: "b1", offset: 7))
            try await withCheckedThrowingContinuation { waiting in
                first.store.follow(jump) { waiting.resume(with: $0) }
            }
            #expect(try await jobs(second, at: 99).isEmpty)
            #expect(try await jobs(second, at: 100).count == 2)
        }
    }
}
