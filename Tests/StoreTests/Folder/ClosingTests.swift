import Foundation
import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

struct ClosingTests {
    /// Of the database and of what lies beside it, without those that are empty.
    private func files(_ fixture: StoreFixture) throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: fixture.folder).filter { name in
            try files.attributesOfItem(atPath: fixture.folder + "/" + name)[.size] as? Int != 0
        }.sorted()
    }

    @Test func `a store that was closed lies in one file`() async throws {
        try await withStore { fixture in
            try await fixture.say("hi", to: .ada)
            #expect(try await fixture.texts(of: .ada) == ["hi"])
            await fixture.store.close()
            #expect(try files(fixture) == ["belfry.sqlite"])
            let copy = try await fixture.reopened()
            #expect(try await copy.texts(of: .ada) == ["hi"])
            await copy.store.close()
        }
    }

    @Test func `a reader of another process keeps the log, and nothing waits for it`() async throws {
        try await withStore { fixture in
            try await fixture.say("before", to: .ada)
            let other = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            try await other.read { db in
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM notification") == 1)
                let closed = DispatchSemaphore(value: 0)
                fixture.store.publish(
                    Publication(
                        publisher: "backend", entries: [try fixture.entry("said", "after", to: [.ada])], now: .at(0))
                ) { _ in fixture.store.close { closed.signal() } }
                closed.wait()
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM notification") == 1)
            }
            #expect(try files(fixture).contains("belfry.sqlite-wal"))
            try other.close()
            let second = try await fixture.reopened()
            #expect(try await second.texts(of: .ada) == ["after", "before"])
            await second.store.close()
        }
    }

    @Test func `a store that has no time to copy its log leaves it as it is`() async throws {
        let configure: StoreFixture.Configuration = { $0.closingTime = .zero }
        try await withStore(configure) { fixture in
            try await fixture.say("hi", to: .ada)
            await fixture.store.close()
            #expect(try files(fixture).contains("belfry.sqlite-wal"))
            let second = try await fixture.reopened()
            #expect(try await second.texts(of: .ada) == ["hi"])
            await second.store.close()
        }
    }
}
