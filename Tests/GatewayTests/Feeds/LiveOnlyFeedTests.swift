import Gateway
import Inbox
import JSON
import Store
import Testing
import Transport
import WireProtocol

/// Feeds of length 0: what reaches whom, and that nothing of it stays.
@Suite(.mayNotHang)
struct LiveOnlyFeedTests {
    @Test(arguments: PollerKind.allCases)
    func `an item reaches who is subscribed, and nobody later`(_ poller: PollerKind) async throws {
        try await FeedServer.run(poller) { server in
            let session = try await server.session(of: "sarah")
            session.send(.subscribe(feed: "cursor:1", after: nil))
            let feed = try await session.next("feed")
            #expect((feed.object["offset"], feed.object["recovered"]) == (0, false))
            let answer = try await server.publishItem(#"{"x":1,"at":null}"#, to: "cursor:1")
            let epoch = try #require(try answer.json.at(["epoch"])?.string)
            let stamp = try #require(try answer.json.at(["publishedAt"])?.string)
            #expect(feed.object["epoch"] == .string(epoch))
            #expect(answer.status == 202)
            #expect(
                answer.text == #"{"feed":"cursor:1","epoch":"\#(epoch)","offset":1,"publishedAt":"\#(stamp)"}"#)
            let item = try await session.next("item")
            #expect((item.object["feed"], item.object["offset"]) == ("cursor:1", 1))
            #expect(item.object["item"] == ["x": 1, "at": .string(stamp)])

            let late = try await server.session(of: "pete")
            late.send(.subscribe(feed: "cursor:1", after: .init(offset: 0)))
            let joined = try await late.next("feed")
            #expect((joined.object["offset"], joined.object["recovered"]) == (1, false))
            for place in ["0", "2024-12-09T18:00:00Z"] {
                let page = try await server.call("GET", "/v1/feeds/cursor:1/items?after=\(place)", as: "sarah").json
                #expect(page.at(["data"]) == [])
                #expect((page.at(["meta", "offset"]), page.at(["meta", "recovered"])) == (1, false))
            }
            let newest = try await server.call("GET", "/v1/feeds/cursor:1/items", as: "sarah").json
            #expect((newest.at(["data"]), newest.at(["meta", "isComplete"])) == ([], true))
            _ = try await server.publishItem(#"{"x":2}"#, to: "cursor:1")
            #expect(try await late.next("item").object["item"]?.at(["x"]) == 2)
        }
    }

    @Test func `only items with one of the tags are told`() async throws {
        try await FeedServer.run { server in
            let session = try await server.session(of: "sarah")
            session.send(.subscribe(feed: "cursor:1", after: nil, tags: ["a"]))
            _ = try await session.next("feed")
            _ = try await server.publishItem(#"[{"tags":["b"]},{"tags":["a"]}]"#, to: "cursor:1")
            #expect(try await session.next("item").object["offset"] == 2)
        }
    }

    @Test func `items for a topic's members are told to them alone`() async throws {
        try await FeedServer.run { server in
            try await server.change("sarah", in: "room:1", isMember: true)
            let (member, other) = (try await server.session(of: "sarah"), try await server.session(of: "pete"))
            other.send(.subscribe(feed: "typing:1", after: nil), id: "1")
            #expect(try await other.next("error").object["code"] == "feed_refused")
            #expect(try await server.call("GET", "/v1/feeds/typing:1/items", as: "pete").status == 403)
            member.send(.subscribe(feed: "typing:1", after: nil))
            #expect(try await member.next("feed").object["offset"] == 0)
            _ = try await server.publishItem(#""pete""#, to: "typing:1")
            #expect(try await member.next("item").object["item"] == "pete")
            try await server.change("sarah", in: "room:1", isMember: false)
            #expect(try await member.next("unsubscribed").object["code"] == "feed_refused")
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `all readers hear all publishers in one order, and nothing is owed then`(_ poller: PollerKind) async throws {
        try await FeedServer.run(poller) { server in
            var sessions: [TestSession] = []
            for user in ["sarah", "pete", "renee", "tom"] {
                let session = try await server.session(of: user)
                session.send(.subscribe(feed: "cursor:1", after: nil))
                _ = try await session.next("feed")
                sessions.append(session)
            }
            try await withThrowingTaskGroup { group in
                for publisher in 0..<8 {
                    group.addTask {
                        for number in 0..<25 {
                            let item = #"{"x":\#(publisher * 25 + number)}"#
                            try #require(try await server.publishItem(item, to: "cursor:1").status == 202)
                        }
                    }
                }
                try await group.waitForAll()
            }
            var orders: Set<[JSONValue?]> = []
            for session in sessions {
                var order: [JSONValue?] = []
                for offset in 1...200 {
                    let item = try await session.next("item")
                    #expect(item.object["offset"] == .int(Int64(offset)))
                    order.append(item.object["item"])
                }
                orders.insert(order)
            }
            #expect(orders.count == 1)
            // A shard reads the last letter somewhat later than another one has told of it.
            while server.server.node.publishLoad.underWay > 0 { await Task.yield() }
        }
    }

    @Test func `items that were stored before the feed became live only are not told there`() async throws {
        try await FeedServer.run { server in
            let session = try await server.session(of: "sarah")
            session.send(.subscribe(feed: "cursor:1", after: nil))
            _ = try await session.next("feed")
            let item = FeedItem(feed: "cursor:1", json: Array("1".utf8), publishedAt: Timestamp(milliseconds: 1))
            let late = FeedPublication(feed: "cursor:1", items: [item], now: Timestamp(milliseconds: 1))
            let receipts = try await withCheckedThrowingContinuation { waiting in
                server.server.node.store.append(late) { waiting.resume(with: $0) }
            }
            #expect(receipts.map(\.position.offset) == [1])
            _ = try await server.publishItem(#"{"x":2}"#, to: "cursor:1")
            #expect(try await session.next("item").object["item"]?.at(["x"]) == 2)
        }
    }

    @Test func `how far somebody has looked is not a question there`() async throws {
        try await FeedServer.run { server in
            let answers = [
                try await server.call("GET", "/v1/feeds/cursor:1/viewed", as: "sarah"),
                try await server.call("PUT", "/v1/feeds/cursor:1/viewed", as: "sarah"),
                try await server.admin("GET", "/v1/users/sarah/feeds/cursor:1/viewed"),
                try await server.admin("PUT", "/v1/users/sarah/feeds/cursor:1/viewed"),
            ]
            for answer in answers { #expect(try (answer.status, answer.json.at(["code"])) == (409, "live_only")) }
        }
    }
}
