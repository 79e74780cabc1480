import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct PushOrderTests {
    private func withPhone(
        _ configure: StoreFixture.Configuration = { _ in }, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await body(fixture)
        }
    }

    @Test(arguments: [false, true])
    func `nothing overtakes a job that was put off`(afterCrash: Bool) async throws {
        try await withPhone { first in
            for text in ["one", "two"] { try await first.say(text, to: .ada) }
            let job = try await first.job(at: .at(0))
            try await first.store.settle(
                job, as: .retry(at: .at(20)), attempt: .init(failures: 1, expiry: job.attempt.expiry))
            let fixture = afterCrash ? try await first.reopened() : first
            try await fixture.say("three", to: .ada, at: .at(5))
            #expect(try await fixture.store.leasePushJobs(at: .at(19)).jobs.isEmpty)
            for text in ["one", "two", "three"] {
                let job = try await fixture.job(at: .at(20))
                #expect(job.body == text)
                try await fixture.store.settle(job, as: .finish)
            }
            if afterCrash { await fixture.store.close() }
        }
    }

    @Test func `reading what was put off sets free what waits behind it, and says so`() async throws {
        try await withPhone { fixture in
            for text in ["one", "two"] { try await fixture.say(text, to: .ada) }
            let job = try await fixture.job(at: .at(0))
            try await fixture.store.settle(
                job, as: .retry(at: .at(20)), attempt: .init(failures: 1, expiry: job.attempt.expiry))
            #expect(try await fixture.store.leasePushJobs(at: .at(1)).jobs.isEmpty)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            let due = try #require(fixture.commits.last?.nextPushDue[.apns])
            #expect(due <= .at(1))
            #expect(try await fixture.job(at: .at(1)).body == "two")
        }
    }

    @Test func `leases and what was put off hold when a commit fails`() async throws {
        let epochs = Epochs()
        let configure: StoreFixture.Configuration = { $0.makeEpoch = { epochs.next() } }
        try await withStore(configure) { fixture in
            for (user, token) in [(UserID.ada, "token-1"), (.bob, "token-2")] {
                try await fixture.store.register(.phone(token: token), for: user)
                for text in ["one", "two"] { try await fixture.say(text, to: user) }
            }
            let jobs = try await fixture.store.leasePushJobs(at: .at(0)).jobs
            let bobs = try #require(jobs.first { $0.user == .bob })
            try await fixture.store.settle(
                bobs, as: .retry(at: .at(20)), attempt: .init(failures: 1, expiry: bobs.attempt.expiry))
            epochs.fail()  // the database refuses an inbox without an epoch
            await #expect(throws: StoreError.self) { try await fixture.store.register(.phone("c"), for: .cleo) }
            #expect(try await fixture.store.leasePushJobs(at: .at(19)).jobs.isEmpty)
            #expect(try await fixture.job(at: .at(20)).message.collapseID == bobs.message.collapseID)
            let adas = try #require(jobs.first { $0.user == .ada })
            try await fixture.store.settle(adas, as: .finish)
            #expect(try await fixture.job(at: .at(21)).body == "two")
        }
    }

    @Test func `a late refusal leaves what was accepted meanwhile marked as shown`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            let first = try await fixture.job(at: .at(0))
            let second = try await fixture.job(at: .at(40))
            try await fixture.store.settle(second, as: .finish, at: .at(41))
            try await fixture.store.settle(first, as: .abandon(reason: "no"), at: .at(42))
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(43))
            let badge = try await fixture.job(at: .at(60))
            #expect(badge.message.withdrawn == [second.message.collapseID])
        }
    }

    @Test func `a late settle that is final counts, and one that is not does nothing`() async throws {
        try await withPhone { fixture in
            try await fixture.say("one", to: .ada)
            let first = try await fixture.job(at: .at(0))
            let second = try await fixture.job(at: .at(30))
            #expect(second.message.collapseID == first.message.collapseID)
            try await fixture.store.settle(first, as: .retry(at: .at(500)))
            #expect(try await fixture.store.leasePushJobs(at: .at(31)).nextDue == .at(60))
            try await fixture.store.settle(first, as: .finish)
            #expect(try await fixture.statistics().pushJobs == 0)
            try await fixture.store.settle(second, as: .retry(at: .at(500)))
            #expect(try await fixture.store.leasePushJobs(at: .at(501)).jobs.isEmpty)
        }
    }

    @Test(.aboutCost) func `a backlog of one device costs each other lease nothing`() async throws {
        func onePage(_ options: inout SQLiteStoreOptions) { options.recipientsPerPage = 2_000 }
        try await withPhone(onePage) { fixture in
            let backlog = 10_000
            let others = (0..<2_000).map { UserID.user("user-\($0)") }
            for user in others {
                fixture.store.register(.phone("phone", token: user.name), for: user) { _ in }
            }
            for first in stride(from: 0, to: backlog, by: 1_000) {
                let entries = try (first..<(first + 1_000)).map { try fixture.entry("said", "\($0)", to: [.ada]) }
                _ = try await fixture.store.publish(Publication(publisher: "b", entries: entries, now: .at(0)))
            }
            _ = try await fixture.publish(fixture.entry("said", "hi", to: others), at: .at(1))
            var (adas, theirs, calls) = (0, 0, 0)
            while theirs < others.count {
                let jobs = try await fixture.store.leasePushJobs(100, at: .at(2)).jobs
                for job in jobs {
                    if job.user == .ada {
                        #expect(job.body == "\(adas)")
                        adas += 1
                    } else {
                        theirs += 1
                    }
                }
                let outcomes = jobs.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
                fixture.store.settle(outcomes, at: .at(2)) { _ in }
                calls += 1
            }
            // Writes are committed in order: by then all are settled.
            try await fixture.store.append("1", to: "feed")
            // Ada's backlog is walked over once, some thousand jobs a call, and never again.
            #expect(calls <= 2_000 / 99 + backlog / 4_096 + 2)
            #expect(try await fixture.statistics().pushJobs == Int64(backlog - adas))
        }
    }

    @Test func `a publisher's own times bound when a push leaves`() async throws {
        try await withPhone { fixture in
            _ = try await fixture.publish(
                fixture.entry("said", "later", to: [.ada], notBefore: .at(100), expiresAt: .at(200)),
                fixture.entry("said", "never", to: [.ada], notBefore: .at(100), expiresAt: .at(100)), at: .at(0))
            #expect(try await fixture.store.leasePushJobs(at: .at(99)).nextDue == .at(100))
            let job = try await fixture.job(at: .at(150))
            #expect((job.body, job.message.expiry) == ("later", .at(200)))
            #expect(try await fixture.statistics().pushJobs == 1)
        }
    }
}
