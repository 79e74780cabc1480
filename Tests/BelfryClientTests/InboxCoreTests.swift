import Foundation
import Testing

@testable import BelfryClient

/// The machines together, beyond the scenarios.
struct InboxCoreTests {
    private static let limits: JSONValue = ["frames": 100, "framesWindow": 10_000]

    private static func ready(seq: Int64, unread: Int64, recovered: Bool = false) -> JSONValue {
        [
            "type": "ready", "epoch": "e1", "seq": .integer(seq), "unread": .integer(unread),
            "unseen": .integer(unread), "heartbeat": 25_000, "limits": limits, "recovered": .bool(recovered),
        ]
    }

    private static func row(_ number: Int64) -> JSONValue {
        Scenario.expand(["$row": ["number": .integer(number)]], round: 0)
    }

    /// In step, with so many unread notifications.
    private static func live(_ count: Int64, _ world: World = World()) -> World {
        world.open()
        world.server(ready(seq: count, unread: count))
        world.server([
            "type": "reset", "epoch": "e1", "seq": .integer(count), "unread": .integer(count),
            "unseen": .integer(count), "notifications": .array((0..<count).map { row(count - $0) }),
        ])
        world.sent = []
        return world
    }

    @Test func `more than a hundred ids are several frames, and one call`() throws {
        let world = Self.live(15)
        let ids = (1...250).map { "n1-\($0)" }
        let call = world.call { $0.command(.read, ids: ids, call: $1, $2) }
        #expect(world.snapshot.unread == 0)
        #expect(world.sent.map { $0.members["ids"]?.array?.count } == [100, 100, 50])
        for frame in world.sent {
            #expect(world.results[call] == nil)
            world.server(["type": "ok", "id": frame.members["id"] ?? .null])
        }
        #expect(world.results[call] == .success(.null))
    }

    @Test func `a call with a refused frame fails once, and is taken back as far as it was refused`() throws {
        let world = Self.live(15)
        let call = world.call { $0.command(.read, ids: (1...150).map { "n1-\($0)" }, call: $1, $2) }
        let ids = world.sent.compactMap { $0.members["id"] }
        world.server(["type": "error", "id": ids[0], "code": "store_failed", "message": "no", "temporary": true])
        #expect(world.results[call] == .failure(BelfryError(code: "store_failed", message: "no", isTemporary: true)))
        #expect(world.snapshot.unread == 15)
        world.server(["type": "ok", "id": ids[1]])
        #expect(world.results.count == 1)
    }

    @Test func `three hundred commands exceed no limit of the server`() {
        let world = Self.live(15)
        var moments: [Int64] = []
        for number in 1...300 { world.call { $0.command(.read, ids: ["x\(number)"], call: $1, $2) } }
        for _ in 0..<600 {
            moments += world.sent.map { _ in world.elapsed }
            world.sent = []
            world.server(["type": "beat", "seq": 15, "unread": 15])
            world.advance(100)
        }
        let most = moments.map { end in moments.count { $0 > end - 10_000 && $0 <= end } }.max() ?? 0
        #expect((60..<100).contains(most), "\(most) frames within ten seconds")
        #expect(moments.count >= 300)
    }

    @Test func `a command without a connection is shown at once, and said once there is one`() {
        let world = Self.live(2)
        world.close(1006)
        let call = world.call { $0.command(.read, upTo: nil, call: $1, $2) }
        #expect(world.snapshot.unread == 0 && world.results[call] == nil && world.sent.isEmpty)
        world.advance(500)
        world.open()
        world.server(Self.ready(seq: 2, unread: 2, recovered: true))
        #expect(world.sent.map(\.type) == ["hello", "read"])
        #expect(world.snapshot.unread == 0)
    }

    @Test func `an answer is said again until it is confirmed, and changes no row before the server says so`() {
        let world = Self.live(2)
        let before = world.snapshot.items
        let call = world.call { $0.answer("n1-2", "approve", call: $1, $2) }
        #expect(world.sent.last?.members["notification"] == "n1-2")
        world.close(1006)
        #expect(world.snapshot.items == before && world.results[call] == nil)
        world.sent = []
        world.advance(500)
        world.open()
        world.server(Self.ready(seq: 2, unread: 2, recovered: true))
        #expect(world.sent.map(\.type) == ["hello", "answer"])
        let id = world.sent.last?.members["id"] ?? .null
        world.server(["type": "error", "id": id, "code": "already_answered", "message": "no"])
        #expect(throws: BelfryError(code: "already_answered", message: "no")) { try world.results[call]?.get() }
        #expect(world.snapshot.items == before)
        world.close(1006)
        world.sent = []
        world.advance(1_000)
        world.open()
        world.server(Self.ready(seq: 2, unread: 2, recovered: true))
        #expect(world.sent.map(\.type) == ["hello"])
    }

    @Test func `nothing is shown twice, and a heartbeat shows nothing`() {
        let world = Self.live(2)
        let shows = world.shows
        world.server(["type": "beat", "seq": 2, "unread": 2])
        world.server(["type": "beat", "seq": 2, "unread": 2])
        #expect(world.shows == shows)
        world.call { $0.command(.read, ids: ["n1-2"], call: $1, $2) }
        #expect(world.shows == shows + 1)
        world.server(["type": "read", "seq": 3, "unread": 1, "unseen": 1, "ids": ["n1-2"]])
        world.server(["type": "ok", "id": world.sent[0].members["id"] ?? .null])
        #expect(world.shows == shows + 1, "the answer changes nothing that was shown")
    }

    @Test func `it never comes back after the app has closed it, whatever happens then`() {
        for moment in 0..<6 {
            let world = World()
            if moment > 0 { world.open() }
            if moment > 1 { world.server(Self.ready(seq: 2, unread: 2)) }
            if moment > 2 { world.server(["type": "drain", "reconnectIn": 100]) }
            if moment > 3 { world.close(1006) }
            if moment > 4 { world.advance(500) }
            let waiting = world.call { $0.command(.read, upTo: nil, call: $1, $2) }
            let loading = world.call { $0.call(RESTCall(path: "/x"), call: $1, $2) }
            world.run { core, _ in core.stop(.closed) }
            let sockets = world.sockets
            world.run { $0.look(false, $1) }
            world.run { $0.look(true, $1) }
            world.run { $0.wake($1) }
            world.run { $0.given("late", $1) }
            world.open()
            world.server(Self.ready(seq: 2, unread: 2))
            world.advance(3_600_000)
            let late = world.call { $0.refresh(call: $1, $2) }
            let closed = Result<JSONValue, BelfryError>.failure(BelfryError(.closed))
            #expect(world.snapshot.status == .stopped(.closed) && world.sockets == sockets && !world.isConnected)
            #expect([waiting, loading, late].map { world.results[$0] } == [closed, closed, closed])
        }
    }

    @Test func `a call over HTTP fails where the app has no token, and the client tries again later`() {
        let world = World(tokens: [["fails": true], "token-2"])
        #expect(world.snapshot.status.word == "waiting" && world.sockets == 0)
        world.advance(500)
        #expect(world.sockets == 1 && world.reasons == ["first", "first"])
    }

    @Test func `two subscriptions to a feed share the server's, and the last one that ends gives it up`() {
        let world = Self.live(1)
        world.run { $0.follow("posts", from: .next, subscription: 1, $1) }
        world.run { $0.follow("posts", from: .next, subscription: 2, $1) }
        #expect(world.sent.map(\.type) == ["subscribe"])
        world.server(["type": "ok", "id": "feed posts"])
        world.server(["type": "feed", "feed": "posts", "epoch": "f", "offset": 4, "recovered": false])
        world.server(["type": "item", "feed": "posts", "offset": 5, "item": "x"])
        let entry = FeedEntry.item("x", at: FeedPosition(epoch: "f", offset: 5))
        #expect(world.entries == [entry, entry])
        world.run { $0.leave(subscription: 1, $1) }
        #expect(world.sent.map(\.type) == ["subscribe"])
        world.run { $0.leave(subscription: 2, $1) }
        #expect(world.sent.map(\.type) == ["subscribe", "unsubscribe"])
    }

    @Test func `a feed that the person may not follow ends with the server's error`() {
        let world = Self.live(1)
        world.run { $0.follow("secret", from: .next, subscription: 1, $1) }
        world.server([
            "type": "error", "id": "feed secret", "code": "feed_refused", "message": "no", "temporary": false,
        ])
        #expect(world.endings == [BelfryError(code: "feed_refused", message: "no")])
        #expect(world.core.subscriptions.isEmpty)
    }

    @Test func `a subscription goes on behind the last entry after a reconnect`() {
        let world = Self.live(1)
        world.run { $0.follow("posts", from: .next, subscription: 1, $1) }
        world.server(["type": "feed", "feed": "posts", "epoch": "f", "offset": 4, "recovered": false])
        world.server(["type": "item", "feed": "posts", "offset": 5, "item": "x"])
        world.close(1006)
        world.advance(500)
        world.open()
        world.sent = []
        world.server(Self.ready(seq: 1, unread: 1, recovered: true))
        #expect(world.sent.first?.members["after"] == ["epoch": "f", "offset": 5])
    }

    @Test func `a refresh sends what it has as the ETag, and asks for nothing on a connection in step`() {
        let world = Self.live(2)
        let step = world.call { $0.refresh(call: $1, $2) }
        #expect(world.results[step] == .success(false) && world.requests.isEmpty)
        world.close(1006)
        let first = world.call { $0.refresh(call: $1, $2) }
        #expect(world.requests.first?.call.etag == #""e1.2""#)
        world.answer(304, .null)
        #expect(world.results[first] == .success(false))
        let second = world.call { $0.refresh(call: $1, $2) }
        world.events = []
        world.answer(
            200,
            [
                "data": [Self.row(3), Self.row(2)],
                "meta": ["epoch": "e1", "seq": 3, "unread": 3, "unseen": 3, "next": nil],
            ])
        #expect(world.results[second] == .success(true) && world.snapshot.unread == 3)
        #expect(world.events == [["reset", nil], ["new", "n1-3"]])
        world.advance(500)
        world.open()
        #expect(world.sent.last?.members["resume"] == ["epoch": "e1", "seq": 3])
    }

    @Test func `an earlier launch's list is shown at once, and only newer changes are asked for`() throws {
        let archive = try #require(Self.live(3).core.replica.archive)
        let world = World(archive: archive)
        #expect(world.snapshot.items.count == 3 && world.snapshot.unread == 3 && !world.snapshot.isSynced)
        world.open()
        #expect(world.sent.last?.members["resume"] == ["epoch": "e1", "seq": 3])
        world.server(Self.ready(seq: 3, unread: 3, recovered: true))
        #expect(world.snapshot.isSynced && world.events.isEmpty)
    }

    @Test func `older rows are asked for once, however many wait for them`() {
        let world = World()
        world.open()
        world.server(Self.ready(seq: 40, unread: 40))
        let rows: JSONValue = .array((0..<20).map { Self.row(40 - $0) })
        world.server([
            "type": "reset", "epoch": "e1", "seq": 40, "unread": 40, "unseen": 40, "notifications": rows,
        ])
        let calls = (0..<2).map { _ in world.call { $0.more(call: $1, $2) } }
        #expect(world.requests.count == 1)
        world.failRequest()
        #expect(calls.allSatisfy { world.results[$0] == .failure(.network("gone")) })
        let none = Self.live(2)
        let call = none.call { $0.more(call: $1, $2) }
        #expect(none.results[call] == .success(.null) && none.requests.isEmpty)
    }

    @Test(arguments: [(BadgeRule.unread, 3), (.unseen, 2), (.boolean, 1)])
    func `the badge counts what the catalog says`(_ rule: BadgeRule, _ badge: Int) {
        let world = World(badge: rule)
        world.open()
        world.server(Self.ready(seq: 3, unread: 3))
        world.server([
            "type": "reset", "epoch": "e1", "seq": 3, "unread": 3, "unseen": 2,
            "notifications": [Self.row(3), Self.row(2), Self.row(1)],
        ])
        #expect(world.snapshot.badge == badge)
    }

    @Test(arguments: [
        #"[]"#, #"7"#, #"{}"#, #"{"type":7}"#, #"{"type":"new"}"#, #"{"type":"new","seq":3,"unread":3}"#,
        #"{"type":"reset"}"#, #"{"type":"ready"}"#, #"{"type":"read","seq":"x","unread":1}"#,
        #"{"type":"removed","seq":3,"unread":1,"ids":[1,null]}"#, #"{"type":"item","feed":"posts"}"#,
        #"{"type":"gap","from":1}"#, #"{"type":"renew"}"#, #"{"type":"drain"}"#, #"{"type":"error"}"#,
        #"{"type":"beat","seq":-9223372036854775808,"unread":9223372036854775807}"#,
        #"{"type":"drain","reconnectIn":9223372036854775807}"#, #"{"type":"someday","seq":3,"unread":2}"#,
        #"{"type":"new","seq":9223372036854775807,"unread":3,"notification":{"id":"x"}}"#,
    ])
    func `no frame of a server that is wrong stops the app`(_ text: String) throws {
        let world = Self.live(2)
        world.run { $0.follow("posts", from: .next, subscription: 1, $1) }
        world.server(try JSONValue(parsing: Data(text.utf8)))
        world.close(1006)
        world.advance(30_000)
        world.open()
        #expect(world.snapshot.status != .stopped(.closed))
    }
}
