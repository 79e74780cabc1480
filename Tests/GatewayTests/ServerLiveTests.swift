import Gateway
import JSON
import Testing
import Transport
import WireProtocol

/// The main job over real sockets, by both pollers.
@Suite(.mayNotHang)
struct ServerLiveTests {
    @Test(arguments: PollerKind.allCases)
    func `a notification appears on every session, and reading it on one is told to the other`(
        _ poller: PollerKind
    ) async throws {
        let server = try await TestServer(poller)
        let (phone, tablet) = (try await server.session(of: "sarah"), try await server.session(of: "sarah"))
        let answer = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(answer.status == 202)
        #expect(try answer.json.at(["created"]) == 1)
        var ids: [String] = []
        for session in [phone, tablet] {
            let new = try await session.next("new")
            #expect((new.seq, new.unread, new.unseen) == (1, 1, 1))
            ids.append(new.object["notification"]?.at(["id"])?.string ?? "")
        }
        phone.send(.read(.ids([ids[0]])), id: "7")
        let read = try await tablet.next("read")
        #expect((read.seq, read.unread, read.object["delta"]) == (2, 0, -1))
        #expect(read.object["ids"] == .array([.string(ids[0])]))
        let count = try await server.call("GET", "/api/notifications/unread-count", as: "sarah")
        #expect(String(decoding: count.body, as: UTF8.self) == #"{"data":{"unreadCount":0}}"#)
        await server.stop()
    }

    @Test func `a test that expects a frame gets it whatever heartbeats come before it`() async throws {
        let server = try await TestServer { $0.live.heartbeat = .milliseconds(5) }
        let (session, other) = (try await server.session(of: "sarah"), try await server.session(of: "sarah"))
        // By now several of them wait on the first session, too.
        for _ in 0..<5 { _ = try await other.next("beat") }
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(try await session.next().type == "new")
        session.send(.state(isActive: false), id: "1")
        #expect(try await session.next("ok").object["id"] == 1)
        await server.stop()
    }

    @Test func `elements within five minutes grow one notification in place`() async throws {
        let server = try await TestServer()
        let session = try await server.session(of: "sarah")
        _ = try await server.publish(RoomsEvent.added(photos: 12, to: "sarah"))
        _ = try await server.publish(RoomsEvent.added(photos: 0, videos: 3, to: "sarah"))
        _ = try await server.publish(RoomsEvent.added(photos: 8, to: "sarah"))
        let frames = [
            try await session.next("new"), try await session.next("update"), try await session.next("update"),
        ]
        #expect(frames.map(\.unread) == [1, 1, 1])
        let last = try #require(frames[2].object["notification"])
        #expect(last.at(["displayText"]) == "renee added 20 photos and 3 videos to Awesome Fun")
        #expect(last.at(["batchCount"]) == 23)
        #expect(last.at(["thumbnails"])?.array?.count == 5)
        #expect(last.at(["rev"]) == 3)
        await server.stop()
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that resumes gets just what it missed, in order, and then live frames`(
        _ poller: PollerKind
    ) async throws {
        let server = try await TestServer(poller)
        let first = try await server.session(of: "sarah")
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        _ = try await first.next("new")
        first.close()
        let state = try await server.call("GET", "/api/notifications", as: "sarah").json
        let epoch = try #require(state.at(["meta", "epoch"])?.string)
        for _ in 0..<50 { _ = try await server.publish(RoomsEvent.liked(to: "sarah")) }
        let second = try await server.session(of: "sarah", resume: .init(epoch: epoch, seq: 1))
        for seq in 2...51 {
            let frame = try await second.next("new")
            #expect((frame.seq, frame.object["replay"]) == (Int64(seq), true))
        }
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        let live = try await second.next("new")
        #expect((live.seq, live.object["replay"]) == (52, nil))
        await server.stop()
    }

    @Test func `a client with a foreign epoch starts anew from the first page`() async throws {
        let server = try await TestServer()
        for _ in 0..<3 { _ = try await server.publish(RoomsEvent.liked(to: "sarah")) }
        let session = try await server.session(of: "sarah", resume: .init(epoch: "another", seq: 2))
        let reset = try await session.next("reset")
        #expect((reset.seq, reset.unread) == (3, 3))
        #expect(reset.object["notifications"]?.array?.count == 3)
        await server.stop()
    }

    @Test func `nothing is lost or doubled between replay and live while events keep coming`() async throws {
        let server = try await TestServer()
        _ = try await server.publish(RoomsEvent.liked(to: "sarah"))
        let epoch = try #require(
            try await server.call("GET", "/api/notifications", as: "sarah").json.at(["meta", "epoch"])?.string)
        async let publishing: Void = {
            for _ in 0..<200 { _ = try await server.publish(RoomsEvent.liked(to: "sarah")) }
        }()
        for _ in 0..<5 {
            let session = try await server.session(of: "sarah", resume: .init(epoch: epoch, seq: 1))
            var seq: Int64 = 1
            while seq < 40 {
                let frame = try await session.next("new")
                #expect(frame.seq == seq + 1)
                seq = frame.seq ?? 0
            }
            session.close()
        }
        try await publishing
        await server.stop()
    }

    @Test func `a feed's items reach its subscribers in order, and a late one catches up`() async throws {
        let server = try await TestServer()
        let session = try await server.session(of: "sarah")
        session.send(.subscribe(feed: "posts", after: nil), id: "1")
        _ = try await session.next("ok")
        let state = try await session.next("feed")
        #expect(state.object["offset"] == 0)
        for number in 1...5 { _ = try await server.publishItem(#"{"post":\#(number)}"#, to: "posts") }
        for number in 1...5 {
            let item = try await session.next("item")
            #expect(
                (item.object["offset"], item.object["item"]) == (.int(Int64(number)), ["post": .int(Int64(number))]))
        }
        let late = try await server.session(of: "pete")
        late.send(.subscribe(feed: "posts", after: .init(epoch: state.epoch, offset: 3)))
        #expect(try await late.next("feed").object["recovered"] == true)
        #expect(try await late.next("item").object["offset"] == 4)
        #expect(try await late.next("item").object["offset"] == 5)
        await server.stop()
    }

    @Test func `a node that stops tells its sessions to come back`() async throws {
        let server = try await TestServer()
        let session = try await server.session(of: "sarah")
        async let stopped: Void = server.stop(clientsFirst: false)
        _ = try await session.next("drain")
        #expect(try await session.closeCode() == LiveCloseCode.drain.rawValue)
        await stopped
    }
}
