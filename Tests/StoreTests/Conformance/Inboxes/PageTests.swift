import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct PageTests {
    private func withFive(_ body: (StoreFixture, [NotificationID]) async throws -> Void) async throws {
        try await withStore { fixture in
            for number in 1...5 { try await fixture.say("\(number)", to: .ada) }
            try await body(fixture, try await fixture.ids(of: .ada))
        }
    }

    @Test(arguments: [
        (Int64(0), 2, ["5", "4"], true), (2, 2, ["3", "2"], true), (4, 2, ["1"], false), (9, 2, [], false),
        (-3, 5, ["5", "4", "3", "2", "1"], false), (0, 0, [], true),
    ])
    func `pages by offset are newest first and say whether more follow`(
        _ offset: Int64, limit: Int, texts: [String], hasMore: Bool
    ) async throws {
        try await withFive { fixture, _ in
            let page = try await fixture.store.page(.offset(offset), limit: limit, of: .ada)
            #expect(page.texts == texts)
            #expect(page.hasMore == hasMore)
            #expect(page.totalCount == 5)
        }
    }

    @Test func `cursors stand between rows, even if their row is gone`() async throws {
        try await withFive { fixture, ids in
            try await fixture.store.apply(.remove(.ids([ids[2]])), for: .ada)
            #expect(try await fixture.store.page(.before(ids[2]), of: .ada).texts == ["2", "1"])
            #expect(try await fixture.store.page(.after(ids[2]), of: .ada).texts == ["5", "4"])
            let newest = try await fixture.store.page(.after(ids[4]), limit: 1, of: .ada)
            #expect((newest.texts, newest.hasMore) == (["5"], true))
        }
    }

    @Test func `a place that the inbox has never had is unknown, and the list begins anew`() async throws {
        try await withFive { fixture, ids in
            let foreign = NotificationID(inbox: 999, sequence: 3)
            let toCome = NotificationID(inbox: ids[0].inbox, sequence: 6)
            for start in [foreign, toCome].flatMap({ [PageQuery.Start.before($0), .after($0)] }) {
                let page = try await fixture.store.page(start, limit: 2, of: .ada)
                #expect(page.texts == ["5", "4"], "\(start)")
                #expect((page.isRecovered, page.totalCount, page.remaining) == (false, 5, 5), "\(start)")
            }
            for start in [PageQuery.Start.before(ids[2]), .after(ids[2])] {
                let page = try await fixture.store.page(start, of: .ada)
                #expect(page.isRecovered)
            }
        }
    }

    @Test func `pages as of one seq fit together while new rows come`() async throws {
        try await withFive { fixture, _ in
            let first = try await fixture.store.page(.offset(0), limit: 3, asOf: 5, of: .ada)
            try await fixture.say("6", to: .ada)
            let second = try await fixture.store.page(.offset(3), limit: 3, asOf: 5, of: .ada)
            #expect(first.texts + second.texts == ["5", "4", "3", "2", "1"])
            #expect((second.totalCount, second.state.total, second.hasMore) == (5, 6, false))
        }
    }

    @Test func `an inbox that nobody knows is empty and has its epoch from then on`() async throws {
        try await withStore { fixture in
            let page = try await fixture.store.page(of: .cleo)
            #expect((page.totalCount, page.hasMore, page.state.seq) == (0, false, 0))
            try await fixture.say("first", to: .cleo)
            #expect(try await fixture.store.state(of: .cleo).epoch == page.state.epoch)
        }
    }

    @Test func `written rows come back the same after the store was opened again`() async throws {
        try await withStore { first in
            try await first.add(2, to: .ada)
            try await first.say("\u{1F514} \"quoted\"", to: .ada)
            try await first.store.apply(.seen(upTo: 1), for: .ada)
            let before = try await first.store.page(of: .ada)
            let second = try await first.reopened()
            let after = try await second.store.page(of: .ada)
            #expect(after.state == before.state)
            #expect(after.texts == before.texts)
            for (new, old) in zip(after.notifications, before.notifications) {
                #expect(new.content.body == old.content.body)
                #expect(new.content.batch == old.content.batch)
                #expect(new.content.push == old.content.push)
                #expect((new.id, new.rev, new.seq) == (old.id, old.rev, old.seq))
                #expect((new.isRead, new.isSeen, new.createdAt) == (old.isRead, old.isSeen, old.createdAt))
            }
            await second.store.close()
        }
    }
}
