import BelfryClient
import Foundation
import Gateway
import Testing
import Transport

/// The client library against a whole server, over real sockets; its requests go through Foundation.
@Suite(.mayNotHang)
struct InboxClientTests {
    /// A server with one person's client.
    private final class Home {
        let server: TestServer
        let inbox: BelfryClient.Inbox
        private let shards: ShardGroup
        private var snapshots: AsyncStream<InboxSnapshot>.AsyncIterator

        init() async throws {
            let server = try await TestServer()
            self.server = server
            shards = try ShardGroup(count: 1, poller: .epoll)
            let url = try #require(URL(string: "ws://\(server.server.addresses.listen)"))
            var options = InboxOptions()
            options.transport = EngineTransport(shard: shards.next)
            options.isLookedAt = true
            inbox = BelfryClient.Inbox(url: url, options: options) { _ in try server.token("sarah") }
            snapshots = await inbox.snapshots.makeAsyncIterator()
        }

        /// The next snapshot that passes the test.
        func snapshot(where isMeant: (InboxSnapshot) -> Bool) async throws -> InboxSnapshot {
            while let snapshot = await snapshots.next() {
                if isMeant(snapshot) { return snapshot }
            }
            throw TestSession.Surprise(what: "the end")
        }

        func stop() async {
            await inbox.close()
            await server.stop()
            await withCheckedContinuation { continuation in shards.stop { continuation.resume() } }
        }
    }

    @Test func `it joins, hears what arrives, reads it, and gets what it missed after a reconnect`() async throws {
        let home = try await Home()
        let first = try await home.snapshot { $0.isSynced }
        #expect(first.status == .live && first.items.isEmpty)
        let changes = await home.inbox.changes

        _ = try await home.server.publish(RoomsEvent.liked(to: "sarah"))
        let arrival = try await home.snapshot { $0.unread == 1 }
        let row = try #require(arrival.items.first)
        #expect(row.displayText == "pete liked your room: Italy Trip" && row.createdAt != nil)
        #expect(row.target?.type == "room" && row.target?["roomId"] == "room-1")

        try await home.inbox.read([row.id])
        #expect(await home.inbox.badge == 0)
        let count = try await home.server.call("GET", "/api/notifications/unread-count", as: "sarah")
        #expect(count.text == #"{"data":{"unreadCount":0}}"#)

        // The newest snapshot alone waits for a test that is slow; of changes, all do.
        let later = await home.inbox.changes
        _ = try await home.server.admin("POST", "/v1/users/sarah/disconnect", body: "{}")
        for await case .status(let status) in later where status != .live { break }
        _ = try await home.server.publish(RoomsEvent.liked(by: "renee", to: "sarah"))
        let back = try await home.snapshot { $0.isSynced && $0.unread == 1 }
        #expect(back.items.count == 2)
        await home.inbox.close()
        var new: [String] = []
        for await change in changes { if case .new(let row) = change { new.append(row.id) } }
        #expect(new == back.items.reversed().map(\.id), "each is told once")
        await home.stop()
    }

    @Test func `calls over HTTP do what they say, and a refusal has the server's code`() async throws {
        let home = try await Home()
        _ = try await home.snapshot { $0.isSynced }
        let inbox = home.inbox
        let patch: BelfryClient.JSONValue = ["types": ["ROOM_LIKE": ["push": false]]]
        #expect(try await inbox.preferences(patch)["rev"] == 1)
        #expect(try await inbox.preferences()["types"]?.array?.isEmpty == false)
        #expect(try await inbox.mute("room:789")["mutes"]?.array?.count == 1)
        #expect(try await inbox.mutes()["mutes"]?.array?.first?["subject"] == "room:789")
        #expect(try await inbox.unmute("room:789")["mutes"] == [])
        let night = QuietHours(zone: "Europe/Berlin", windows: [.init(days: ["mon"], from: "22:00", to: "07:00")])
        #expect(try await inbox.quietHours(night)["quietHours"]?["zone"] == "Europe/Berlin")
        #expect(try await inbox.quietHours(nil)["quietHours"] == .null)
        #expect(try await inbox.snooze(hours: 8)["snooze"] != .null)
        #expect(try await inbox.snooze(until: Date(timeIntervalSinceNow: 3_600))["snooze"] != .null)
        #expect(try await inbox.snooze(until: nil)["snooze"] == .null)
        let device = try await inbox.registerDevice(
            token: Data([0xA1, 0x0B]), id: "phone 1", app: "rooms", environment: .sandbox, permission: .granted)
        #expect(device["id"] == "phone 1" && device["provider"] == "apns" && device["environment"] == "sandbox")
        try await inbox.unregisterDevice(id: "phone 1", app: "rooms")
        let left = try await home.server.admin("GET", "/v1/users/sarah/devices")
        #expect(left.text.contains(#""devices":[]"#))
        await #expect { try await inbox.mute("nonsense:1") } throws: { error in
            (error as? BelfryError)?.code == "unknown_subject_kind" && (error as? BelfryError)?.isTemporary == false
        }
        #expect(try await inbox.refresh() == false)
        await home.stop()
    }

    @Test func `a feed is a loop that goes on across a reconnect`() async throws {
        let home = try await Home()
        _ = try await home.server.publishItem(#"{"title": "one"}"#, to: "posts")
        _ = try await home.snapshot { $0.isSynced }
        var entries = await home.inbox.feed("posts", after: .newest).makeAsyncIterator()
        guard case .reset(let epoch) = try await entries.next() else { throw TestSession.Surprise(what: "no reset") }
        #expect(try await entries.next() == .item(["title": "one"], at: FeedPosition(epoch: epoch, offset: 1)))
        _ = try await home.server.admin("POST", "/v1/users/sarah/disconnect", body: "{}")
        _ = try await home.server.publishItem(#"{"title": "two"}"#, to: "posts")
        #expect(try await entries.next() == .item(["title": "two"], at: FeedPosition(epoch: epoch, offset: 2)))
        await home.inbox.close()
        #expect(try await entries.next() == nil)
        await home.stop()
    }

    @Test func `a refresh without a connection brings what is new, by one small request if nothing is`() async throws {
        let server = try await TestServer()
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        var options = InboxOptions()
        options.transport = NoTransport()
        let url = try #require(URL(string: "http://\(server.server.addresses.listen)/"))
        let inbox = BelfryClient.Inbox(url: url, options: options) { _ in try server.token("sarah") }
        #expect(try await inbox.refresh())
        #expect(try await inbox.refresh() == false)
        let snapshot = await inbox.snapshot
        #expect(snapshot.unread == 1 && snapshot.items.count == 1 && !snapshot.isSynced)
        await inbox.close()
        await server.stop()
    }

    /// A network that lets no WebSocket through.
    private struct NoTransport: LiveTransport {
        struct Socket: LiveSocket {
            func send(_ text: String) {}
            func close() {}
        }

        func open(
            _ url: URL, subprotocol: String, listener: @escaping @Sendable (LiveSocketEvent) -> Void
        ) -> any LiveSocket {
            listener(.closed(code: nil))
            return Socket()
        }
    }
}
