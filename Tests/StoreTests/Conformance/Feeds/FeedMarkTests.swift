import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct FeedMarkTests {
    private func publish(_ authors: String?..., to feed: String, in fixture: StoreFixture, at now: Timestamp = .at(0))
        async throws
    {
        let items = authors.map { FeedItem(feed: feed, json: [0x31], publishedAt: now, author: $0) }
        try await fixture.store.append(items, to: feed, at: now)
    }

    private func viewed(_ offset: Int64, by user: UserID, _ fixture: StoreFixture) async throws -> FeedMark {
        let epoch = try await fixture.store.items(of: "posts", .head).head.epoch
        return try await fixture.store.markViewed(
            "posts", upTo: .position(FeedPosition(epoch: epoch, offset: offset)), by: user)
    }

    @Test(arguments: ["elsewhere", ""]) func `an offset of another epoch marks nothing`(epoch: String) async throws {
        try await withStore { fixture in
            let place = FeedMark.Place.position(FeedPosition(epoch: epoch, offset: 1))
            #expect(try await fixture.store.markViewed("posts", upTo: place, by: .ada).head.epoch.isEmpty == false)
            try await publish("a", "b", to: "posts", in: fixture)
            #expect(try await fixture.store.markViewed("posts", upTo: place, by: .ada).viewed == 0)
        }
    }

    @Test func `a person has a mark for each feed that has items, and for none of the others`() async throws {
        try await withStore { fixture in
            try await publish("a", to: "posts", in: fixture)
            try await publish("a", to: "news", in: fixture)
            for feed in ["posts", "news", "posts"] + (0..<100).map({ "none:\($0)" }) {
                for place in [FeedMark.Place.head, .time(.at(9))] {
                    _ = try await fixture.store.markViewed(feed, upTo: place, by: .ada)
                }
            }
            #expect(try await fixture.store.erase(.ada).feedMarks == 2)
        }
    }

    @Test func `a mark tells how many items came since, and never goes back`() async throws {
        try await withStore { fixture in
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 0)
            #expect(try await fixture.store.markViewed("posts", upTo: .head, by: .ada).viewed == 0)
            try await publish("a", "b", "c", to: "posts", in: fixture)
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 3)
            #expect(try await viewed(2, by: .ada, fixture).newer == 1)
            #expect(try await viewed(1, by: .ada, fixture).viewed == 2)
            #expect(try await viewed(99, by: .ada, fixture).viewed == 3)
            try await publish("d", to: "posts", in: fixture)
            #expect(try await fixture.store.mark(of: "posts", by: .ada)?.newer == 1)
            #expect(try await fixture.store.mark(of: "posts", by: .bob)?.viewed == 0)
            #expect(try await fixture.store.markViewed("posts", upTo: .head, by: .ada).newer == 0)
            let again = try await fixture.reopened()
            #expect(try await again.store.mark(of: "posts", by: .ada)?.viewed == 4)
            await again.store.close()
        }
    }

    @Test func `a moment marks all that was published up to it`() async throws {
        try await withStore { fixture in
            for second in [1, 3, 5] as [Int64] { try await publish("a", to: "posts", in: fixture, at: .at(second)) }
            #expect(try await fixture.store.markViewed("posts", upTo: .time(.at(0)), by: .ada).viewed == 0)
            #expect(try await fixture.store.markViewed("posts", upTo: .time(.at(3)), by: .ada).viewed == 2)
            #expect(try await fixture.store.markViewed("posts", upTo: .time(.at(60)), by: .ada).viewed == 3)
        }
    }

    @Test func `a summary tells what is new in several feeds, by whom, and how far the viewer is`() async throws {
        try await withStore { fixture in
            try await publish("ada", "bob", "bob", to: "posts", in: fixture, at: .at(7))
            try await publish(nil, to: "users", in: fixture, at: .at(8))
            _ = try await viewed(2, by: .ada, fixture)
            let requests = ["posts", "users", "unknown"].map { FeedSummaries.Request($0) }
            let found = try await fixture.store.summaries(of: requests, for: .user(.ada))
            #expect(found.names == ["ada"])
            let posts = try #require(found.summaries[0])
            #expect((posts.viewed, posts.tip.newest?.offset) == (2, 3))
            #expect(posts.tip.newest(notBy: ["bob"])?.offset == 1)
            #expect(found.summaries[1]?.tip.newest?.time == .at(8))
            #expect(found.summaries[2]?.tip == FeedTip())
            let stranger = try await fixture.store.summaries(of: requests, for: .email("who@x.org", in: .unnamed))
            #expect((stranger.names, stranger.summaries[0]?.viewed) == (["who@x.org"], 0))
        }
    }

    @Test func `a feed's newest items and whose they are outlive the process, however few are kept`() async throws {
        try await withStore { fixture in
            try await publish("ada", "bob", to: "posts", in: fixture, at: .at(7))
            let again = try await fixture.reopened()
            for second in [8, 9] as [Int64] {
                let item = FeedItem(feed: "posts", json: [0x31], publishedAt: .at(second), author: "bob")
                try await again.store.append([item], to: "posts", length: 1, at: .at(second))
            }
            let last = try await again.reopened()
            let found = try await last.store.summaries(of: [.init("posts")], for: .user(.ada)).summaries[0]
            let others = FeedTip.Place(offset: 1, time: .at(7))
            #expect(found?.tip == FeedTip(newest: .init(offset: 4, time: .at(9)), author: "bob", other: others))
            #expect(try await last.store.append("5", to: "posts").offset == 5)
            await last.store.close()
        }
    }

    @Test func `items for a topic's members alone do not exist for others`() async throws {
        try await withStore { fixture in
            try await publish("a", to: "room:7", in: fixture)
            let pass = FeedPass.member(.ada, of: "room:7")
            #expect(try await fixture.store.items(of: "room:7", FeedQuery(.newest, limit: 9), with: pass) == nil)
            #expect(try await fixture.store.mark(of: "room:7", by: .ada, with: pass) == nil)
            let requests = [FeedSummaries.Request("room:7", topic: "room:7")]
            #expect(try await fixture.store.summaries(of: requests, for: .user(.ada)).summaries == [nil])
            try await fixture.join(.ada, "room:7")
            #expect(
                try await fixture.store.items(of: "room:7", FeedQuery(.newest, limit: 9), with: pass)?.items.count == 1)
            #expect(try await fixture.store.mark(of: "room:7", by: .ada, with: pass)?.newer == 1)
            #expect(try await fixture.store.summaries(of: requests, for: .user(.ada)).summaries.first??.viewed == 0)
            #expect(
                try await fixture.store.items(
                    of: "room:7", FeedQuery(.newest, limit: 9), with: .member(.bob, of: "room:7")) == nil)
        }
    }
}

extension StoreFixture {
    /// Puts somebody into a topic.
    func join(_ user: UserID, _ topic: String) async throws {
        _ = try await withCheckedThrowingContinuation { waiting in
            store.changeMembers(of: topic, adding: [user], removing: []) { waiting.resume(with: $0) }
        }
    }
}
