import GRDB
import Inbox
import Push
import Testing

@testable import Storage

/// Which commits of a store wait for the disk.
struct PromisedCommitTests {
    /// The `synchronous` with which the writer made its last commit: 2 is FULL, 1 is NORMAL.
    private func synchronous(_ fixture: StoreFixture) async throws -> Int? {
        try await withCheckedThrowingContinuation { continuation in
            fixture.store.withIdleWriter { db in
                continuation.resume(with: Result { try Int.fetchOne(db, sql: "PRAGMA synchronous") })
            }
        }
    }

    @Test func `an event's does, and what became of its push goes to the disk by itself later`() async throws {
        let configure: StoreFixture.Configuration = { $0.restDelay = .milliseconds(1) }
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada, at: .at(0))
            #expect(try await synchronous(fixture) == 2)
            let job = try #require(try await fixture.store.leasePushJobs(at: .at(10)).jobs.first)
            try await fixture.store.settle(job, as: .finish, at: .at(11))
            #expect(try await synchronous(fixture) == 1)
            try await fixture.say("and more", to: .ada, at: .at(12))
            #expect(try await synchronous(fixture) == 2)
        }
    }
}
