import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

/// Acknowledgements that the database refuses for a while.
@Suite(.mayNotHang) struct KeptAcknowledgementTests {
    /// No acknowledgement is tried again by itself.
    private static let configure: @Sendable (inout SQLiteStoreOptions) -> Void = {
        $0.acknowledgementRetry = .seconds(3_600)
    }
    private static let refusal = "CREATE TRIGGER refusal BEFORE DELETE ON push_job BEGIN SELECT RAISE(ABORT, 'no'); END"

    @Test func `an asker is answered after the commit`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            try await fixture.store.acknowledge(.ada)
            #expect(!fixture.store.isAcknowledging(.ada))
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `no push is handed out while what was acknowledged cannot be written, and none of it afterwards`()
        async throws
    {
        try await withStore(Self.configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(.phone(token: "token-2"), for: .bob)
            let event = try await fixture.event("said", to: .ada)
            try await fixture.run(Self.refusal)
            await #expect(throws: StoreError.self) { try await fixture.store.acknowledge(.ada) }
            #expect(fixture.store.isAcknowledging(.ada))
            await #expect(throws: StoreError.self) { _ = try await fixture.store.leasePushJobs(at: .at(100)) }
            try await fixture.run("DROP TRIGGER refusal")
            #expect(try await fixture.store.leasePushJobs(at: .at(100)).jobs.isEmpty)
            #expect(!fixture.store.isAcknowledging(.ada))
            #expect(try await fixture.steps(event) == [.cancelled(.acknowledged)])
        }
    }

    @Test func `acknowledgements that could not be written are tried again by themselves`() async throws {
        let configure: StoreFixture.Configuration = { $0.acknowledgementRetry = .milliseconds(1) }
        // The writer hardly rests between two tries, so what refuses them ends by a write of the store's own.
        let refusal = """
            CREATE TRIGGER refusal BEFORE DELETE ON push_job WHEN EXISTS (SELECT 1 FROM inbox WHERE user = 'bob')
                BEGIN SELECT RAISE(ABORT, 'no'); END
            """
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .bob)
            let event = try await fixture.event("said", to: .ada)
            try await fixture.run(refusal)
            await #expect(throws: StoreError.self) { try await fixture.store.acknowledge(.ada) }
            _ = try await fixture.store.erase(.bob)
            while fixture.store.isAcknowledging(.ada) { await Task.yield() }
            #expect(try await fixture.steps(event) == [.cancelled(.acknowledged)])
        }
    }

    @Test func `a device whose row is damaged keeps no acknowledgement back`() async throws {
        let fixture = try StoreFixture(Self.configure)
        try await fixture.store.register(.phone(), for: .ada)
        try await fixture.store.register(.phone(token: "token-2"), for: .bob)
        try await fixture.say("hi", to: .ada, .bob)
        try await fixture.run(
            "UPDATE device SET provider = 'nobody' WHERE inbox = (SELECT id FROM inbox WHERE user = 'ada')")
        let fresh = try await fixture.reopened(Self.configure)
        fresh.store.acknowledge(.ada, upTo: 1)
        try await fresh.store.acknowledge(.bob)
        while fresh.store.isAcknowledging(.ada) { await Task.yield() }
        let waiting = try await fresh.statistics().pushJobs
        await fresh.remove()
        #expect(waiting == 0)
    }

    @Test func `a store that closes writes those that wait to be tried again`() async throws {
        let fixture = try StoreFixture(Self.configure)
        try await fixture.store.register(.phone(), for: .ada)
        try await fixture.say("hi", to: .ada)
        try await fixture.run(Self.refusal)
        await #expect(throws: StoreError.self) { try await fixture.store.acknowledge(.ada) }
        try await fixture.run("DROP TRIGGER refusal")
        let later = try await fixture.reopened()
        let waiting = try await later.statistics().pushJobs
        await later.remove()
        #expect(waiting == 0)
    }
}

extension StoreFixture {
    /// Runs a statement beside the store's own.
    func run(_ sql: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            sqlite.withIdleWriter { db in continuation.resume(with: Result { try db.execute(sql: sql) }) }
        }
    }
}

extension Store {
    fileprivate func acknowledge(_ user: UserID) async throws {
        try await withCheckedThrowingContinuation { continuation in
            acknowledge(user, upTo: 1, at: .at(0)) { continuation.resume(with: $0) }
        }
    }
}
