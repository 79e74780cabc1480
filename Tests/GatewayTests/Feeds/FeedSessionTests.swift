import Gateway
import Inbox
import JSON
import Store
import Testing
import Transport
import WireProtocol

/// Subscriptions of live sessions: who may have one, what it brings, and when it ends.
@Suite(.mayNotHang)
struct FeedSessionTests {
    @Test(arguments: PollerKind.allCases)
    func `a subscription is refused to people whom the feed's rule does not name`(_ poller: PollerKind) async throws {
        try await FeedServer.run(poller) { server in
            let session = try await server.session(of: "sarah", claims: ["queries": ["1"]])
            for feed in ["query:2", "room:1"] {
                session.send(.subscribe(feed: feed, after: nil), id: "1")
                let error = try await session.next("error")
                #expect((error.object["code"], error.object["temporary"]) == ("feed_refused", false))
            }
            session.send(.subscribe(feed: "query:1", after: nil), id: "2")
            _ = try await session.next("ok")
            #expect(try await session.next("feed").object["feed"] == "query:1")
            _ = try await server.publishItem("1", to: "room:1")
            _ = try await server.publishItem("2", to: "query:2")
            _ = try await server.publishItem("3", to: "query:1")
            #expect(try await session.next("item").object["item"] == 3)
        }
    }

    @Test func `a feed that was named when U+0080 to U+009F were taken can be subscribed to`() async throws {
        try await FeedServer.run { server in
            let session = try await server.session(of: "sarah")
            session.send(.subscribe(feed: "old\u{85}", after: nil))
            #expect(try await session.next("feed").object["feed"] == "old\u{85}")
            session.send(.subscribe(feed: "a\n", after: nil), id: "1")
            #expect(try await session.next("error").object["code"] == "invalid_value")
            let path = "/v1/users/a%0A/feeds/old%C2%85/viewed"
            #expect(try await server.admin("GET", path).status == 200)
            #expect(try await server.admin("PUT", path).status == 400)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `a person who leaves a topic hears nothing more of its feed`(_ poller: PollerKind) async throws {
        try await FeedServer.run(poller) { server in
            for user in ["sarah", "pete"] { try await server.change(user, in: "room:1", isMember: true) }
            let (leaver, other) = (try await server.session(of: "sarah"), try await server.session(of: "pete"))
            for session in [leaver, other] {
                for feed in ["room:1", "posts"] {
                    session.send(.subscribe(feed: feed, after: nil))
                    _ = try await session.next("feed")
                }
            }
            _ = try await server.publishItem(#"{"n":1}"#, to: "room:1")
            for session in [leaver, other] { #expect(try await session.next("item").object["item"] == ["n": 1]) }
            try await server.change("sarah", in: "room:1", isMember: false)
            let end = try await leaver.next("unsubscribed")
            #expect((end.object["feed"], end.object["code"]) == ("room:1", "feed_refused"))
            _ = try await server.publishItem(#"{"n":2}"#, to: "room:1")
            _ = try await server.publishItem(#"{"n":3}"#, to: "posts")
            #expect(try await leaver.next("item").object["feed"] == "posts")
            #expect(try await other.next("item").object["item"] == ["n": 2])
            leaver.send(.subscribe(feed: "room:1", after: nil), id: "1")
            #expect(try await leaver.next("error").object["code"] == "feed_refused")
        }
    }

    @Test func `an item that comes in one commit with a departure is not for whoever left`() async throws {
        try await FeedServer.run { server in
            let (sarah, store) = (try #require(UserID("sarah")), server.server.node.store)
            try await server.change("sarah", in: "room:1", isMember: true)
            let session = try await server.session(of: "sarah")
            session.send(.subscribe(feed: "room:1", after: nil))
            _ = try await session.next("feed")
            // An item that is written while the store tells of something else waits for one commit.
            let item = FeedItem(feed: "room:1", json: Array("1".utf8), publishedAt: Timestamp(milliseconds: 1))
            let publication = FeedPublication(feed: "room:1", items: [item], now: Timestamp(milliseconds: 1))
            _ = try await withCheckedThrowingContinuation { waiting in
                let (nothing, time) = (InboxCommand.seen(upTo: 0), Timestamp(milliseconds: 0))
                store.apply(nothing, for: sarah, at: time) { _ in
                    // The first commit is for readers who come, and there are none; the next is for those who leave.
                    store.changeMembers(of: "room:1", adding: [], removing: [sarah]) { _ in }
                    store.apply(nothing, for: sarah, at: time) { _ in
                        store.append(publication) { waiting.resume(with: $0) }
                    }
                }
            }
            #expect(try await session.next("unsubscribed").object["feed"] == "room:1")
            session.send(.subscribe(feed: "posts", after: nil))
            _ = try await session.next("feed")
        }
    }

    @Test func `a new token with other claims ends what it does not open`() async throws {
        try await FeedServer.run { server in
            let session = try await server.session(of: "sarah", claims: ["queries": ["1", "2"]])
            for feed in ["query:1", "query:2", "posts"] {
                session.send(.subscribe(feed: feed, after: nil))
                _ = try await session.next("feed")
            }
            session.send(.token(try server.token("sarah", claims: ["queries": ["2", "3"]])), id: "1")
            #expect(try await session.next("unsubscribed").object["feed"] == "query:1")
            _ = try await session.next("ok")
            session.send(.subscribe(feed: "query:3", after: nil))
            #expect(try await session.next("feed").object["feed"] == "query:3")
        }
    }

    @Test func `only items with one of the tags are told, live and in the catch-up`() async throws {
        try await FeedServer.run { server in
            func publish(_ id: String, _ tags: String...) async throws {
                _ = try await server.publishItem(FeedServer.post(id, tags: tags), to: "posts")
            }
            try await publish("a", "post")
            try await publish("b", "cat")
            try await publish("c", "dog", "post")
            let session = try await server.session(of: "sarah")
            let epoch = try #require(
                try await server.call("GET", "/v1/feeds/posts/items", as: "sarah").json.at(["meta", "epoch"])?.string)
            session.send(.subscribe(feed: "posts", after: .init(epoch: epoch, offset: 0), tags: ["post", "bird"]))
            #expect(try await session.next("feed").object["recovered"] == true)
            for id in ["a", "c"] { #expect(try await session.next("item").object["item"]?.at(["id"]) == .string(id)) }
            try await publish("d", "cat")
            try await publish("e")
            try await publish("f", "bird")
            let item = try await session.next("item")
            #expect((item.object["item"]?.at(["id"]), item.object["offset"]) == ("f", 6))
        }
    }

    @Test func `a reader who missed more than a catch-up hears what to fetch, and then the newest`() async throws {
        try await FeedServer.run { server in
            let items = (1...700).map { #"{"number":\#($0)}"# }.joined(separator: ",")
            _ = try await server.publishItem("[\(items)]", to: "posts")
            let session = try await server.session(of: "sarah")
            let epoch = try #require(
                try await server.call("GET", "/v1/feeds/posts/items", as: "sarah").json.at(["meta", "epoch"])?.string)
            session.send(.subscribe(feed: "posts", after: .init(epoch: epoch, offset: 3)))
            let feed = try await session.next("feed")
            #expect((feed.object["recovered"], feed.object["offset"]) == (true, 700))
            let gap = try await session.next("gap")
            #expect((gap.object["feed"], gap.object["from"], gap.object["to"]) == ("posts", 4, 200))
            for offset in 201...700 { #expect(try await session.next("item").object["offset"] == .int(Int64(offset))) }
            let page = try await server.call(
                "GET", "/v1/feeds/posts/items?after=3&epoch=\(epoch)&limit=197", as: "sarah"
            ).json
            #expect(page.at(["meta", "next"]) == 200)
            #expect(page.at(["data"])?.array?.count == 197)
        }
    }
}
