import Foundation
import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

struct FeedMigrationTests {
    @Test func `the items of an older store get stamps that rise, and none before its own`() async throws {
        let folder = NSTemporaryDirectory() + "belfry-old-feeds-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder + "/belfry.sqlite")
        try Schema.migrations.migrate(pool, upTo: "2")
        try await pool.write { db in
            try db.execute(
                sql: "INSERT INTO feed VALUES (1, 'posts', 'e1', 5), (2, 'users', 'e2', 1), (3, 'none', 'e3', 0)")
            for (offset, moment) in [(2, 100), (3, 100), (4, 90), (5, 200)] {
                try db.execute(
                    sql: "INSERT INTO feed_item VALUES (1, ?, ?, ?)",
                    arguments: [offset, moment, Data("\(offset)".utf8)])
            }
            try db.execute(sql: "INSERT INTO feed_item VALUES (2, 1, 7, ?)", arguments: [Data("1".utf8)])
        }
        try pool.close()
        let fixture = try StoreFixture(folder: folder)
        let page = try await fixture.store.items(of: "posts", .newest)
        #expect(page.items.map(\.publishedAt.milliseconds) == [100, 101, 102, 200])
        #expect(page.head == FeedPosition(epoch: "e1", offset: 5))
        for (offset, isKnown) in [(0, false), (1, true)] as [(Int64, Bool)] {
            let query = FeedQuery(.after(FeedPosition(epoch: "e1", offset: offset)), limit: 9)
            #expect(try await fixture.store.items(of: "posts", query, with: .open)?.isRecovered == isKnown)
        }
        let item = FeedItem(feed: "posts", json: Array("6".utf8), publishedAt: .init(milliseconds: 150))
        let receipts = try await fixture.store.append([item], to: "posts", at: item.publishedAt)
        #expect(receipts.map(\.position.offset) == [6])
        #expect(receipts.map(\.publishedAt.milliseconds) == [201])
        #expect(try await fixture.store.mark(of: "users", by: .ada)?.newer == 1)
        #expect(try await fixture.store.append("1", to: "none").offset == 1)
        await fixture.remove()
    }

    @Test func `an older store's knowledge of a feed's newest items is kept`() async throws {
        let folder = NSTemporaryDirectory() + "belfry-feed-tips-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder + "/belfry.sqlite")
        try Schema.migrations.migrate(pool, upTo: "5")
        try await pool.write { db in
            try db.execute(sql: "INSERT INTO feed VALUES (1, 'posts', 'e1', 3, 30, 'bob', 1, 10)")
            for offset in 1...3 {
                try db.execute(
                    sql: "INSERT INTO feed_item VALUES (1, ?, ?, ?, ?)",
                    arguments: [offset, offset * 10, Data("\(offset)".utf8), "id-\(offset)"])
            }
        }
        try pool.close()
        let fixture = try StoreFixture(folder: folder)
        let found = try await fixture.store.summaries(of: [.init("posts")], for: .user(.ada)).summaries[0]
        let expected = FeedTip(
            newest: .init(offset: 3, time: .init(milliseconds: 30)), author: "bob",
            other: .init(offset: 1, time: .init(milliseconds: 10)))
        #expect(found?.tip == expected)
        let again = FeedItem(feed: "posts", json: [0x31], publishedAt: .at(0), id: "id-2")
        #expect(try await fixture.store.append([again], to: "posts", at: .at(0)).map(\.position.offset) == [2])
        let page = try await fixture.store.items(of: "posts", .afterTime(.init(milliseconds: 10)))
        #expect(page.items.map { String(decoding: $0.json, as: UTF8.self) } == ["2", "3"])
        await fixture.remove()
    }
}
