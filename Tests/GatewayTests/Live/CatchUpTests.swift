import Gateway
import JSON
import Testing
import WireProtocol

/// Catch-up over a socket that takes all it gets at once, as the sockets of most readers do.
@Suite(.mayNotHang) struct CatchUpTests {
    static func likes(_ count: Int, of user: String) -> String {
        "[\((0..<count).map { _ in RoomsEvent.liked(to: user) }.joined(separator: ","))]"
    }

    @Test func `a replay of many times what may wait goes through to its end, and live frames follow`() async throws {
        let server = try await TestServer { $0.limits.queuedBytes = 4_096 }
        let state = try await server.call("GET", "/api/notifications", as: "sarah").json
        let epoch = try #require(state.at(["meta", "epoch"])?.string)
        _ = try await server.publish(Self.likes(200, of: "sarah"))
        let session = try await server.session(of: "sarah", resume: .init(epoch: epoch, seq: 0))
        for seq in 1...200 { #expect(try await session.next("new").seq == Int64(seq)) }
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(try await session.next("new").seq == 201)
        await server.stop()
    }

    @Test func `one commit of more than may wait is no gap for a reader who takes it`() async throws {
        let server = try await TestServer { $0.limits.queuedBytes = 4_096 }
        let session = try await server.session(of: "sarah")
        _ = try await server.publish(Self.likes(200, of: "sarah"))
        for seq in 1...200 { #expect(try await session.next("new").seq == Int64(seq)) }
        await server.stop()
    }

    @Test func `a reader who leaves a feed and comes back at once gets the requested items, once`() async throws {
        let server = try await TestServer()
        for number in 1...5 { _ = try await server.publishItem("\(number)", to: "posts") }
        let session = try await server.session(of: "sarah")
        session.send(.subscribe(feed: "posts", after: .init(offset: 0)))
        session.send(.unsubscribe(feed: "posts"))
        session.send(.subscribe(feed: "posts", after: .init(offset: 0)), id: "2")
        // The first one's items may come before, if the store was quick; from here on it is the second one's.
        while try await session.next().object["id"] != 2 {}
        _ = try await session.next("feed")
        for offset in 1...5 { #expect(try await session.next("item").object["offset"] == .int(Int64(offset))) }
        _ = try await server.publishItem("6", to: "posts")
        #expect(try await session.next("item").object["offset"] == 6)
        await server.stop()
    }
}
