import Foundation
import Inbox
import Migration
import PostgresStore
import SQLiteStore
import Store
import Testing

/// Stores that are put back to an earlier moment: clients have to notice.
struct NewEpochsTests {
    /// What clients compare, and what they see.
    private struct Seen: Equatable {
        var states: [InboxState] = []
        var feedEpochs: [String] = []
        var texts: [[String]] = []
    }

    private static let engines = Engine.tested.filter { $0 != .memory }
    private static let people = ["ada", "bob", "cleo", "dan", "eve"].map(UserID.user)

    /// Runs a test with a store that has people and feeds.
    private func withStore(
        of engine: Engine, _ body: @escaping @Sendable (StoreFixture) async throws -> Void
    ) async throws {
        try await Engine.$current.withValue(engine) {
            try await StoreTests.withStore { fixture in
                for (place, person) in Self.people.enumerated() {
                    for number in 0...place { try await fixture.say("hi \(number)", to: person) }
                }
                for feed in ["news", "sport", "chess"] {
                    try await fixture.store.append(
                        [FeedItem(feed: feed, json: Array("{}".utf8), publishedAt: .at(0), id: nil, tags: [])],
                        to: feed, at: .at(0))
                }
                try await body(fixture)
            }
        }
    }

    private func see(_ fixture: StoreFixture) async throws -> Seen {
        var seen = Seen()
        for person in Self.people {
            seen.states.append(try await fixture.store.state(of: person))
            seen.texts.append(try await fixture.texts(of: person))
        }
        for feed in ["news", "sport", "chess", "empty"] {
            seen.feedEpochs.append(try await fixture.store.items(of: feed, .head).head.epoch)
        }
        return seen
    }

    private func renew(_ fixture: StoreFixture, _ progress: (Int64) throws -> Void = { _ in }) throws -> RenewedEpochs {
        if Engine.current == .sqlite {
            let end = try SQLiteEnd(folder: fixture.folder, isTarget: false)
            defer { end.close() }
            return try end.renewEpochs(progress)
        }
        let end = try PostgresEnd(StoreServer.address(of: fixture.folder), isTarget: false, isForEpochs: true)
        defer { end.close() }
        return try end.renewEpochs(together: 2, progress)
    }

    /// All inboxes and feeds have got other epochs, once, and nothing else is different.
    private func check(_ after: Seen, against before: Seen) {
        #expect(after.texts == before.texts)
        for (new, old) in zip(after.states, before.states) {
            #expect(new.epoch != old.epoch)
            #expect(new.seq == old.seq + 1_000_000)
            #expect([new.unread, new.unseen, new.total] == [old.unread, old.unseen, old.total])
        }
        #expect(Set(after.states.map(\.epoch)).count == Self.people.count)
        #expect(zip(after.feedEpochs, before.feedEpochs).allSatisfy { $0 != $1 })
        #expect(Set(after.feedEpochs).count == after.feedEpochs.count)
    }

    @Test(arguments: engines) func `each inbox and each feed gets an epoch of its own, and numbers go on unused`(
        _ engine: Engine
    ) async throws {
        try await withStore(of: engine) { fixture in
            var before = try await see(fixture)
            let position = InboxPosition(epoch: before.states[4].epoch, seq: before.states[4].seq)
            await fixture.store.close()
            // It may be done again.
            for _ in 0..<2 {
                #expect(try renew(fixture) == RenewedEpochs(inboxes: 5, feeds: 3))
                let opened = try StoreFixture(folder: fixture.folder)
                let after = try await see(opened)
                check(after, against: before)
                before = after
                let recovery = try await opened.store.recover(Self.people[4], from: position)
                guard case .reset = recovery.result else {
                    Issue.record("a client of before resumes")
                    continue
                }
                await opened.store.close()
            }
        }
    }

    @Test(arguments: engines) func `a store that a server has is refused`(_ engine: Engine) async throws {
        try await withStore(of: engine) { fixture in
            if Engine.current == .sqlite {
                #expect(throws: StoreOpenError.folderInUse(path: fixture.folder)) { try renew(fixture) }
            } else {
                let address = try StoreServer.address(of: fixture.folder)
                #expect(throws: MigrationProblem.inUse(at: "\(address)", nodes: ["belfry"])) { try renew(fixture) }
            }
        }
    }

    private struct Interruption: Error {}

    @Test(.enabled(if: engines.contains(.postgres)))
    func
        `an interrupted run is continued where it was, and no node and no migration opens the store before its end`()
        async throws
    {
        try await StoreServer.places.use {
            try await withStore(of: .postgres) { fixture in
                let before = try await see(fixture)
                await fixture.store.close()
                let address = try StoreServer.address(of: fixture.folder)
                // Five inboxes and three feeds, two at a time.
                for done: Int64 in [2, 4, 5, 7] {
                    var told: Int64 = 0
                    #expect(throws: Interruption.self) {
                        try renew(fixture) { number in
                            told = number
                            throw Interruption()
                        }
                    }
                    #expect(told == done)
                    #expect(throws: UnfitDatabase.unfinishedEpochs) { try StoreFixture(folder: fixture.folder) }
                    #expect(throws: MigrationProblem.unfinishedEpochs(at: "\(address)")) {
                        try PostgresEnd(address, isTarget: false)
                    }
                }
                #expect(try renew(fixture) == RenewedEpochs(inboxes: 5, feeds: 3))
                let opened = try StoreFixture(folder: fixture.folder)
                check(try await see(opened), against: before)
                await opened.store.close()
            }
        }
    }
}
