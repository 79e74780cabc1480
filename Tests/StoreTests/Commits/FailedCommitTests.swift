import Glibc
import Inbox
import Push
import Testing

@testable import SQLiteStore
@testable import Store

/// Commits that fail with pushes in them: nothing of a transaction is written before its commit, and then no file takes
/// a byte.
///
/// In processes of their own, as the limit is the process's.
struct FailedCommitTests {
    private static func limitFiles(to bytes: UInt) {
        // Else the first write beyond it ends the process.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
    }

    /// Does what is to fail.
    private static func withoutRoom(_ fail: () async throws -> Void) async {
        limitFiles(to: 0)
        defer { limitFiles(to: .max) }
        await #expect(throws: StoreError.failed(code: 778, message: "disk I/O error")) { try await fail() }
    }

    private static func withPhones(_ body: @Sendable (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            for user in [UserID.ada, .bob, .cleo] {
                try await fixture.store.register(.phone(token: user.name), for: user)
            }
            try await body(fixture)
            let figures = try await fixture.statistics()
            let opened = try await fixture.reopened()
            #expect(try await opened.statistics() == figures)
            await opened.store.close()
        }
    }

    @Test func `an event whose commit failed is nowhere, and is stored and pushed once when it comes again`() async {
        await #expect(processExitsWith: .success) {
            try await FailedCommitTests.withPhones { fixture in
                let store = fixture.store
                #expect(try await store.state(of: .ada).seq == 0)
                await FailedCommitTests.withoutRoom {
                    _ = try await fixture.publish(fixture.entry("said", "news", to: [.ada], key: "k"))
                }
                #expect(fixture.told(to: .ada).isEmpty)
                #expect(try await store.state(of: .ada).seq == 0)
                #expect(try await fixture.statistics().pushJobs == 0)
                #expect(try await store.leasePushJobs(at: .at(1)).jobs.isEmpty)
                for outcome in [true, false] {
                    let again = try await fixture.publish(fixture.entry("said", "news", to: [.ada], key: "k"))
                    #expect(again.map(\.isReplay) == [!outcome])
                }
                #expect(fixture.told(to: .ada).map(\.stamp.seq) == [1])
                #expect(try await fixture.statistics().pushJobs == 1)
                let job = try await fixture.job(at: .at(1))
                #expect((job.user, job.body, job.message.badge) == (.ada, "news", 1))
                try await store.settle(job, as: .finish, at: .at(2))
                #expect(try await store.leasePushJobs(at: .at(1_000)).jobs.isEmpty)
                #expect(try await fixture.statistics().pushJobs == 0)
            }
        }
    }

    @Test func `a push whose cancelling failed to be committed leaves still`() async {
        await #expect(processExitsWith: .success) {
            try await FailedCommitTests.withPhones { fixture in
                let store = fixture.store
                try await fixture.say("news", to: .ada, .bob)
                await FailedCommitTests.withoutRoom { try await store.apply(.read(.upTo(1)), for: .ada) }
                #expect(try await fixture.statistics().pushJobs == 2)
                let jobs = try await store.leasePushJobs(at: .at(1)).jobs
                #expect(Set(jobs.map(\.user)) == [.ada, .bob] && jobs.count == 2)
                try await store.apply(.read(.upTo(1)), for: .ada)
                #expect(try await fixture.statistics().pushJobs == 1)
            }
        }
    }

    @Test func `outcomes of pushes whose commit failed are taken in when they come again`() async {
        await #expect(processExitsWith: .success) {
            try await FailedCommitTests.withPhones { fixture in
                let store = fixture.store
                try await fixture.say("news", to: .ada, .bob, .cleo)
                let jobs = try await store.leasePushJobs(at: .at(1)).jobs
                let actions: [PushAction] = [.finish, .abandon(reason: "no"), .retry(at: .at(60))]
                let outcomes = zip(jobs, actions).map {
                    PushOutcome(job: $0, action: $1, attempt: PushAttempt(failures: 1, expiry: $0.attempt.expiry))
                }
                #expect(outcomes.count == 3)
                await FailedCommitTests.withoutRoom { try await store.settle(outcomes, at: .at(2)) }
                #expect(try await fixture.statistics().pushJobs == 3)
                // They are with whoever sends them, as before.
                #expect(try await store.leasePushJobs(at: .at(3)).jobs.isEmpty)
                try await store.settle(outcomes, at: .at(4))
                #expect(try await fixture.statistics().pushJobs == 1)
                #expect(try await store.leasePushJobs(at: .at(59)).jobs.isEmpty)
                #expect(try await fixture.job(at: .at(60)).user == jobs[2].user)
            }
        }
    }

    @Test func `pushes whose outcomes failed to be committed and do not come again are handed out again`() async {
        await #expect(processExitsWith: .success) {
            try await FailedCommitTests.withPhones { fixture in
                let store = fixture.store
                try await fixture.say("news", to: .ada, .bob, .cleo)
                let jobs = try await store.leasePushJobs(at: .at(1), lease: .seconds(30)).jobs
                let outcomes = jobs.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
                await FailedCommitTests.withoutRoom { try await store.settle(outcomes, at: .at(2)) }
                let again = try await store.leasePushJobs(at: .at(31)).jobs
                #expect(again.map(\.user) == jobs.map(\.user) && again.count == 3)
                // By names that are not those of the leases that are over.
                #expect(Set(again.map(\.lease)).isDisjoint(with: jobs.map(\.lease)))
                try await store.settle(
                    again.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }, at: .at(32))
                #expect(try await fixture.statistics().pushJobs == 0)
            }
        }
    }
}
