import Foundation
import GRDB
import Inbox
import Push
import Synchronization
import Testing

@testable import Storage

/// Which commits of a store are on the disk before anybody is told.
struct PromisedCommitTests {
    private final class Told: Sendable {
        private let count = Atomic(0)
        func tell() { count.add(1, ordering: .relaxed) }
        var times: Int { count.load(ordering: .relaxed) }
    }

    /// Nothing goes to the disk by itself.
    private func withPhone(
        _ configure: @escaping StoreFixture.Configuration = { _ in }, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore {
            $0.syncDelay = .seconds(3_600)
            configure(&$0)
        } _: { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada, at: .at(0))
            #expect(fixture.store.syncing.deadline == nil)
            try await body(fixture)
        }
    }

    private func settleOne(of fixture: StoreFixture) async throws {
        let job = try #require(try await fixture.store.leasePushJobs(at: .at(10)).jobs.first)
        #expect(fixture.store.syncing.deadline == nil)
        try await fixture.store.settle(job, as: .finish, at: .at(11))
    }

    @Test func `what became of a push goes to the disk with the next event`() async throws {
        try await withPhone { fixture in
            try await settleOne(of: fixture)
            #expect(fixture.store.syncing.deadline != nil)
            try await fixture.say("and more", to: .ada, at: .at(12))
            #expect(fixture.store.syncing.deadline == nil)
        }
    }

    @Test func `which pushes leave as one is on the disk before they do`() async throws {
        try await withPhone { fixture in
            for second in Int64(1)...3 { try await fixture.publish("upvoted", "\(second)", to: .ada, at: .at(second)) }
            for job in try await fixture.store.leasePushJobs(at: .at(4)).jobs {
                try await fixture.store.settle(job, as: .finish, at: .at(4))
            }
            try await fixture.store.settle(try await fixture.job(at: .at(5)), as: .finish, at: .at(5))
            #expect(fixture.store.syncing.deadline != nil)
            let fold = try await fixture.job(at: .at(3_601))
            #expect(fold.message.count == 2)
            #expect(fixture.store.syncing.deadline == nil)
        }
    }

    @Test func `what follows a push is on the disk before the push is forgotten`() async throws {
        let configure: StoreFixture.Configuration = { $0.syncDelay = .seconds(3_600) }
        try await withStore(yaml: QuietTypes.yaml, configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], actor: "renee"), at: .at(0))
            let job = try await fixture.job(at: .at(0))
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], actor: "renee"), at: .at(1))
            try await fixture.store.settle(job, as: .finish, at: .at(2))
            #expect(fixture.store.syncing.deadline == nil)
            #expect(try await fixture.job(at: .at(3)).body == "2 things")
        }
    }

    @Test func `once commits are lost, nothing is promised any more, and that is told`() async throws {
        let told = Told()
        let configure: StoreFixture.Configuration = { $0.onDamage = { _, _ in told.tell() } }
        try await withPhone(configure) { fixture in
            try await settleOne(of: fixture)
            fixture.store.syncing.synced(false)
            await #expect(throws: StoreError.damaged) { try await fixture.say("more", to: .ada, at: .at(12)) }
            #expect(fixture.store.isDamaged)
            await #expect(throws: StoreError.damaged) { try await fixture.say("more", to: .ada, at: .at(13)) }
            #expect(told.times == 1)
        }
    }

    @Test func `what became of a push goes to the disk by itself when nothing comes`() async throws {
        let configure: StoreFixture.Configuration = { $0.syncDelay = .milliseconds(1) }
        try await withPhone(configure) { fixture in
            let job = try #require(try await fixture.store.leasePushJobs(at: .at(10)).jobs.first)
            try await fixture.store.settle(job, as: .finish, at: .at(11))
            while fixture.store.syncing.deadline != nil { await Task.yield() }
        }
    }

    @Test func `a promise that has nothing to write has the disk take what it rests on`() async throws {
        try await withPhone { fixture in
            try await settleOne(of: fixture)
            #expect(fixture.store.syncing.deadline != nil)
            _ = try await fixture.store.unregister("no such phone", of: .ada)
            #expect(fixture.store.syncing.deadline == nil)
        }
    }

    @Test func `a start has the disk take what the one before has left in the log`() async throws {
        try await withPhone { fixture in
            let copy = fixture.folder + "-killed"
            try FileManager.default.copyItem(atPath: fixture.folder, toPath: copy)
            let next = try StoreFixture(folder: copy)
            try FileManager.default.removeItem(atPath: copy + "/belfry.sqlite-wal")
            let file = try DatabaseQueue(path: copy + "/belfry.sqlite")
            #expect(try await file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notification") } == 1)
            try file.close()
            await next.remove()
        }
    }

    @Test func `a store that closes has all on the disk`() async throws {
        try await withPhone { fixture in
            try await settleOne(of: fixture)
            await fixture.store.close()
            #expect(fixture.store.syncing.deadline == nil)
        }
    }
}
