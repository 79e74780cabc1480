import Foundation
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

struct OpeningTests {
    @Test func `the writer waits for the disk at every commit`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-open-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let opened = try OpenedDatabase(path: folder.appending(path: "belfry.sqlite").path, readers: 2)
        #expect(opened.synchronous == 2)
    }

    @Test func `a folder belongs to one store at a time`() async throws {
        try await withStore { fixture in
            #expect(throws: StoreOpenError.folderInUse(path: fixture.folder)) {
                try StoreFixture(folder: fixture.folder)
            }
            let second = try await fixture.reopened()
            await second.store.close()
        }
    }

    @Test func `webhooks that a process had at hand are due again once the folder is opened, and failed ones wait on`()
        async throws
    {
        let fixture = try StoreFixture { $0.webhooks = .twoEndpoints }
        for user in [UserID.ada, .bob] {
            try await fixture.say("one", to: user)
            _ = try await fixture.store.apply(.read(.ids(try await fixture.ids(of: user))), for: user, at: .at(1))
        }
        let leased = try await fixture.store.leaseWebhooks(for: "reads", at: .at(1)).webhooks
        let (failed, lost) = (try #require(leased.first), try #require(leased.last))
        try await fixture.store.settle(.putOff(id: failed.id, until: .at(20), failures: 1, reason: "status 500"))
        let later = try await fixture.reopened { $0.webhooks = .twoEndpoints }
        let found = try await later.store.leaseWebhooks(for: "reads", at: .at(1)).webhooks
        let rest = try await later.store.leaseWebhooks(for: "reads", at: .at(20)).webhooks
        await later.remove()
        #expect(found.map(\.id) == [lost.id])
        #expect(rest.map(\.id) == [failed.id])
    }

    @Test func `a folder that cannot be made is told with its reason`() throws {
        #expect(throws: StoreOpenError.folderUnusable(path: "/dev/null/belfry", call: "mkdir", errno: ENOTDIR)) {
            try StoreFixture(folder: "/dev/null/belfry")
        }
        #expect(throws: StoreOpenError.notAFolder(path: "/dev/null")) { try StoreFixture(folder: "/dev/null") }
    }

    @Test func `a file that is no database is told, not overwritten`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-open-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let file = folder.appending(path: "belfry.sqlite")
        let text = Data(repeating: 0x41, count: 8_192)
        try text.write(to: file)
        #expect {
            try StoreFixture(folder: folder.path)
        } throws: { error in
            if case .damaged(_, code: 26, _)? = error as? StoreOpenError { true } else { false }
        }
        #expect(try Data(contentsOf: file) == text)
    }

    @Test func `an inbox keeps its epoch, counts and seq when the store is opened again`() async throws {
        try await withStore { first in
            try await first.say("one", to: .ada)
            try await first.say("two", to: .ada)
            try await first.store.apply(.read(.upTo(1)), for: .ada)
            let state = try await first.store.state(of: .ada)
            let second = try await first.reopened()
            #expect(try await second.store.state(of: .ada) == state)
            try await second.say("three", to: .ada)
            #expect(second.told(to: .ada).map(\.stamp.seq) == [4])
            await second.store.close()
        }
    }

    @Test func `an inbox that memory has forgotten is read again`() async throws {
        let configure: StoreFixture.Configuration = { ($0.cachedInboxes, $0.cachedContents) = (2, 2) }
        try await withStore(configure) { fixture in
            let users = (1...20).map { UserID.user("user-\($0)") }
            for round in 1...3 {
                let entry = try fixture.entry("added", to: users)
                let outcome = try await fixture.publish(entry)
                #expect(outcome.first?.updated == (round == 1 ? 0 : 20))
            }
            for user in users {
                #expect(try await fixture.texts(of: user) == ["renee added 3 things"])
                #expect(try await fixture.store.state(of: user).unread == 1)
            }
        }
    }
}

struct RecentCacheTests {
    @Test func `lately used values stay, and never more than fit`() {
        var cache = RecentCache<Int, String>(capacity: 4)
        for number in 1...4 { cache.keep("\(number)", for: number) }
        #expect(cache.value(for: 1) == "1")
        for number in 5...6 { cache.keep("\(number)", for: number) }
        #expect(cache.value(for: 1) == "1")
        #expect(cache.value(for: 2) == nil)
        #expect((1...6).count { cache.value(for: $0) != nil } <= 4)
    }

    @Test func `a newer value wins over an older one wherever that lies`() {
        var cache = RecentCache<Int, String>(capacity: 4)
        for number in 1...3 { cache.keep("old", for: number) }
        cache.keep("new", for: 1)
        #expect(cache.value(for: 1) == "new")
    }
}
