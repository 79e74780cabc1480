import Inbox
import Push
import SQLiteStore
import Store
import Testing

/// Pushes that are shown, withdrawn and sent next when clocks jump, answers are lost, or pushes replace each other.
@Suite(.everyEngine) struct PushTruthTests {
    private func shown(_ type: String, _ text: String, _ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.publish(type, text, to: .ada, at: .at(0))
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            try await body(fixture)
        }
    }

    @Test func `a notification that a later push shows under the same id is not withdrawn`() async throws {
        try await shown("scored", "1:0") { fixture in
            try await fixture.store.apply(.read(.ids([try await fixture.ids(of: .ada)[0]])), for: .ada, at: .at(0))
            try await fixture.publish("scored", "2:0", to: .ada, at: .at(1))
            let second = try await fixture.job(at: .at(1))
            try await fixture.store.settle(second, as: .finish, at: .at(1))
            for job in try await fixture.store.leasePushJobs(at: .at(3)).jobs {
                #expect(!job.message.withdrawn.contains(second.message.collapseID))
            }
        }
    }

    @Test func `a fold with an unread part is not withdrawn`() async throws {
        try await shown("upvoted", "zero") { fixture in
            for s in [Int64(1), 2] { try await fixture.publish("upvoted", "n\(s)", to: .ada, at: .at(s)) }
            let ids = Array(try await fixture.ids(of: .ada).reversed())
            let first = try await fixture.job(at: .at(3_600))
            try await fixture.store.settle(
                first, as: .retry(at: .at(3_700)), attempt: .init(failures: 1, expiry: first.attempt.expiry),
                at: .at(3_601))
            try await fixture.store.apply(.read(.ids([ids[1]])), for: .ada, at: .at(3_610))
            let again = try await fixture.job(at: .at(3_700))
            #expect(again.message.notification == ids[2])
            try await fixture.store.settle(again, as: .finish, at: .at(3_700))
            for job in try await fixture.store.leasePushJobs(at: .at(3_703)).jobs {
                #expect(!job.message.withdrawn.contains(again.message.collapseID))
            }
        }
    }

    @Test func `a device that an earlier answer called gone shows nothing`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("one", to: .ada, at: .at(0))
            let first = try await fixture.job(at: .at(0))
            let again = try await fixture.job(at: .at(31))  // the clock was set forward
            try await fixture.store.settle(
                PushOutcome(job: first, action: .forgetDevice, attempt: first.attempt),
                PushOutcome(job: again, action: .finish, attempt: again.attempt), at: .at(31))
            try await fixture.store.register(.phone(token: "token-2", at: .at(32)), for: .ada)
            try await fixture.say("two", to: .ada, at: .at(32))
            try await fixture.store.settle(try await fixture.job(at: .at(32)), as: .finish, at: .at(32))
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(33))
            let badge = try await fixture.job(at: .at(36))
            #expect((badge.message.badge, badge.message.withdrawn) == (1, []))
        }
    }

    @Test func `a clock that is set back loses no fold`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("a", to: .ada, at: .at(0))
            let a = try await fixture.job(at: .at(0))
            try await fixture.publish("upvoted", "b", to: .ada, at: .at(1))
            #expect(try await fixture.store.leasePushJobs(at: .at(2)).jobs.isEmpty)
            try await fixture.store.settle(a, as: .finish, at: .at(-3_600))
            let early = try await fixture.store.leasePushJobs(at: .at(-3_600)).jobs
            for job in early { try await fixture.store.settle(job, as: .finish, at: .at(-3_600)) }
            let late = try await fixture.store.leasePushJobs(at: .at(100)).jobs
            #expect(early.count + late.count == 1)
        }
    }

    @Test func `a clock that is set back makes no push leave before its time`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("a", to: .ada, at: .at(0))
            let a = try await fixture.job(at: .at(0))
            try await fixture.store.settle(
                a, as: .retry(at: .at(-3_580)), attempt: .init(failures: 1, expiry: a.attempt.expiry), at: .at(-3_600))
            #expect(try await fixture.store.leasePushJobs(at: .at(-3_600)).jobs.isEmpty)
            #expect(try await fixture.store.leasePushJobs(at: .at(-3_580)).jobs.count == 1)
        }
    }

    @Test func `a push for tomorrow does not hold back one of now`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.publish(
                fixture.entry("upvoted", "tomorrow", to: [.ada], notBefore: .at(86_400)), at: .at(0))
            try await fixture.publish("upvoted", "now", to: .ada, at: .at(10))
            #expect(try await fixture.store.leasePushJobs(at: .at(4_000)).jobs.map(\.body) == ["now"])
        }
    }

    @Test func `a push that was tried without an answer is withdrawn by the id that it was sent with`() async throws {
        try await shown("said", "one") { fixture in
            try await fixture.publish("scored", "1:0", to: .ada, at: .at(1))
            let tried = try await fixture.job(at: .at(1))
            try await fixture.store.settle(
                tried, as: .retry(at: .at(20)), attempt: .init(failures: 1, expiry: tried.attempt.expiry), at: .at(2))
            try await fixture.store.apply(.read(.ids([try await fixture.ids(of: .ada)[0]])), for: .ada, at: .at(3))
            let badge = try await fixture.job(at: .at(6))
            #expect(badge.message.withdrawn == [tried.message.collapseID])
        }
    }

    @Test func `a job that was given back untried keeps its turn over a restart`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("a", to: .ada, at: .at(0))
            try await fixture.say("b", to: .ada, at: .at(1))
            let a = try await fixture.job(at: .at(2))
            try await fixture.store.settle(a, as: .retry(at: .at(2)), at: .at(2))
            let later = try await fixture.reopened()
            #expect(try await later.job(at: .at(3)).body == "a")
            await later.store.close()
        }
    }
}
