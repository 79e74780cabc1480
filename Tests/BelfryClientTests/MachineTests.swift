import Foundation
import Testing

@testable import BelfryClient

struct AcknowledgementTests {
    @Test func `they are folded, cumulative, told only while somebody looks, and once more on another connection`() {
        var acks = Acknowledgements()
        #expect(acks.show(1, isLooking: true) == true)
        #expect(acks.show(3, isLooking: true) == false)
        #expect(acks.expire(isLooking: true) == 3)
        #expect(acks.show(3, isLooking: true) == false)
        #expect(acks.show(4, isLooking: false) == false)
        #expect(acks.show(4, isLooking: true) == true)
        #expect(acks.expire(isLooking: false) == nil)
        acks.again()
        #expect(acks.show(4, isLooking: true) == true)
        #expect(acks.expire(isLooking: true) == 4)
    }
}

struct PaceTests {
    private static func ready(_ frames: JSONValue, _ window: JSONValue) throws -> ServerFrame {
        try #require(ServerFrame(["type": "ready", "limits": ["frames": frames, "framesWindow": window]]))
    }

    @Test func `a burst goes at once, then two thirds of what the server allows`() throws {
        var pace = Pace()
        pace.begin(try Self.ready(100, 10_000))
        let sent = (1_000_000..<1_010_000).filter { pace.take($0) == nil }
        #expect((81...99).contains(sent.count), "\(sent.count) frames")
        #expect(sent.prefix(20).allSatisfy { $0 == sent[0] || $0 < 1_000_100 })
    }

    @Test func `a clock that was set back puts a frame off for an interval at most`() throws {
        var pace = Pace()
        pace.begin(try Self.ready(100, 10_000))
        for moment in Int64(1_000_000)..<1_010_000 { _ = pace.take(moment) }
        let wait = pace.take(-2_600_000)
        #expect(try #require(wait) <= 150)
    }

    @Test func `limits that make no sense change nothing`() throws {
        var pace = Pace()
        for ready in [try Self.ready(0, 10_000), try Self.ready(-1, 5), try Self.ready(5, .integer(.max))] {
            pace.begin(ready)
            #expect((pace.take(1_000_000) ?? 0) >= 0)
        }
    }
}

struct FeedSubscriptionTests {
    private static func item(_ offset: Int64) throws -> ServerFrame {
        try #require(
            ServerFrame(["type": "item", "feed": "posts", "offset": .integer(offset), "item": .integer(offset)]))
    }

    private static func frame(_ value: JSONValue) throws -> ServerFrame { try #require(ServerFrame(value)) }

    private static func entry(_ offset: Int64) -> FeedSubscription.Effect {
        .entry(.item(.integer(offset), at: FeedPosition(epoch: "f", offset: offset)))
    }

    @Test func `entries come once and in order, and a place that is lost begins anew`() throws {
        var feed = FeedSubscription(feed: "posts", start: .after(FeedPosition(epoch: "f", offset: 5)))
        #expect(feed.receive(try Self.item(6), from: nil).isEmpty, "before the subscription is answered")
        let begin = try Self.frame(["type": "feed", "feed": "posts", "epoch": "f", "offset": 7, "recovered": true])
        #expect(feed.receive(begin, from: 5).isEmpty)
        #expect(feed.receive(try Self.item(6), from: nil) == [Self.entry(6)])
        #expect(feed.receive(try Self.item(6), from: nil).isEmpty)
        #expect(
            feed.receive(try Self.frame(["type": "gap", "feed": "posts", "from": 7, "to": 900]), from: nil) == [.again])
        #expect(feed.receive(try Self.item(901), from: nil).isEmpty)
        #expect(feed.frame.members["after"] == 0)
        let anew = try Self.frame(["type": "feed", "feed": "posts", "epoch": "f", "offset": 901, "recovered": false])
        #expect(feed.receive(anew, from: nil) == [.entry(.reset(epoch: "f"))])
        #expect(feed.receive(try Self.item(402), from: nil) == [Self.entry(402)])
    }

    @Test func `an item that was replaced or removed names the one that it is about`() throws {
        var feed = FeedSubscription(feed: "posts", start: .next)
        _ = feed.receive(try Self.frame(["type": "feed", "feed": "posts", "epoch": "f", "offset": 7]), from: 7)
        let replaced = try Self.frame(["type": "item", "feed": "posts", "offset": 8, "replaces": 3, "item": "x"])
        #expect(
            feed.receive(replaced, from: nil)
                == [.entry(.replaced("x", replaces: 3, at: FeedPosition(epoch: "f", offset: 8)))])
        let removed = try Self.frame(
            ["type": "item", "feed": "posts", "offset": 9, "removes": 3, "id": "p3", "item": nil])
        #expect(
            feed.receive(removed, from: nil)
                == [.entry(.removed(id: "p3", removes: 3, at: FeedPosition(epoch: "f", offset: 9)))])
    }

    @Test func `the server is asked once for all subscriptions to a feed, and again for one that is behind`() throws {
        var hub = FeedHub()
        let next = FeedSubscription(feed: "posts", start: .next).frame
        #expect(hub.subscribe(next, to: "posts") == [next])
        #expect(hub.subscribe(next, to: "posts").isEmpty)
        let answer = try Self.frame(["type": "feed", "feed": "posts", "epoch": "f", "offset": 7, "recovered": false])
        #expect(hub.receive(answer) == 7)
        let late = FeedSubscription(feed: "posts", start: .after(FeedPosition(epoch: "f", offset: 3))).frame
        #expect(hub.subscribe(late, to: "posts").map(\.type) == ["unsubscribe", "subscribe"])
        let recovered = try Self.frame(["type": "feed", "feed": "posts", "epoch": "f", "offset": 7, "recovered": true])
        #expect(hub.receive(recovered) == 3)
        #expect(hub.leave("posts").map(\.type) == ["unsubscribe"])
        #expect(hub.leave("posts").isEmpty)
    }
}

struct RequestsTests {
    private static let call = RESTCall(path: "/x")

    @Test func `a call whose token has expired is made once more with another one, and only once`() throws {
        var requests = Requests<String>()
        guard case .ask(.first) = try #require(requests.begin(Self.call, for: "a").first) else { throw Surprise() }
        // Requests that come meanwhile get the same token.
        #expect(requests.begin(Self.call, for: "b").isEmpty && requests.ask(.renew).isEmpty)
        #expect(requests.given("one").count == 2)
        let expired = HTTPAnswer(status: 401, body: Data(#"{"code":"token_expired"}"#.utf8))
        guard case .ask(.expired) = try #require(requests.answered(1, .success(expired)).first) else {
            throw Surprise()
        }
        guard case .send(1, _, token: "two") = try #require(requests.given("two").first) else { throw Surprise() }
        guard case .done("a", .failure(let error)) = try #require(requests.answered(1, .success(expired)).first) else {
            throw Surprise()
        }
        #expect(error == BelfryError(code: "token_expired", message: nil, isTemporary: false))
    }

    @Test(arguments: [(400, false), (404, false), (429, true), (500, true), (503, true)])
    func `a problem says what it is, and whether to try again`(_ status: Int, _ isTemporary: Bool) throws {
        var requests = Requests<String>()
        _ = requests.begin(Self.call, for: "a")
        _ = requests.given("one")
        let answer = HTTPAnswer(status: status, body: Data(#"{"code":"so_so","detail":"why"}"#.utf8))
        guard case .done("a", .failure(let error)) = try #require(requests.answered(1, .success(answer)).first) else {
            throw Surprise()
        }
        #expect(error == BelfryError(code: "so_so", message: "why", isTemporary: isTemporary))
    }

    @Test func `a page of a proxy's in place of an answer is a fault of the network`() throws {
        var requests = Requests<String>()
        _ = requests.begin(Self.call, for: "a")
        _ = requests.given("one")
        let page = HTTPAnswer(status: 502, body: Data("<html>".utf8))
        guard case .done("a", .failure(let error)) = try #require(requests.answered(1, .success(page)).first) else {
            throw Surprise()
        }
        #expect(error.code == "network" && error.isTemporary)
    }
}

/// An event other than the one that the test expects.
struct Surprise: Error {}
