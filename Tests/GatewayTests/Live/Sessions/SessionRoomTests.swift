import Inbox
import JSON
import Store
import Testing
import Transport
import WireProtocol

@testable import Gateway

/// How a session handles its store's answers and its reader's pace.
@Suite(.mayNotHang) struct SessionRoomTests {
    private static let empty = Recovery(state: InboxState(epoch: "e1"), result: .changes([]))

    /// One commit of changes to sarah's inbox, each with a text of so many bytes.
    private func commit(_ seqs: ClosedRange<Int64>, textBytes: Int = 10, mayBePushed: Bool = false) throws -> Commit {
        var commit = Commit()
        let content = Content(
            type: "ROOM_LIKE", displayText: String(repeating: "x", count: textBytes), body: Array(#""a":1"#.utf8),
            batch: nil, push: nil)
        let sarah = try user("sarah")
        commit.inboxes = seqs.map { seq in
            let notification = Notification(
                id: NotificationID(inbox: 1, sequence: seq), content: content, createdAt: .noon, rev: 1, seq: seq,
                isRead: false, isSeen: false)
            let stamp = ChangeStamp(seq: seq, unread: seq, unseen: seq, delta: 1)
            return Commit.InboxDelivery(
                user: sarah, change: InboxChange(stamp: stamp, kind: .new(notification)), mayBePushed: mayBePushed)
        }
        return commit
    }

    @Test func `a session is closed with 4100 where the store has too much to do`() async throws {
        let room = try await SessionRoom(RecoveringStore(.failure(.overloaded)))
        #expect(try await room.session().closeCode() == 4100)
        #expect(room.node.metrics.closes(with: .overloaded).count == 1)
        #expect(room.node.metrics.closes(with: .slow).count == 0)
        await room.stop()
    }

    @Test func `an acknowledgement reaches the store only where a push may wait`() async throws {
        let store = RecoveringStore(.success(Self.empty))
        let room = try await SessionRoom(store)
        let session = try room.session()
        _ = try await session.next("ready")
        for (seq, mayBePushed, reaches) in [(1, false, [1]), (2, false, [1]), (3, true, [1, 3]), (4, false, [1, 3])] {
            await room.commit(try commit(Int64(seq)...Int64(seq), mayBePushed: mayBePushed))
            _ = try await session.next("new")
            session.send(.ack(seq: Int64(seq)), id: "7")
            _ = try await session.next("ok")
            #expect(store.acknowledged == reaches.map(Int64.init))
        }
        await room.stop()
    }

    @Test func `an acknowledgement of a session that nobody looks at does not reach the store`() async throws {
        let store = RecoveringStore(.success(Self.empty))
        let room = try await SessionRoom(store)
        let session = try room.session()
        _ = try await session.next("ready")
        session.send(.state(isActive: false))
        await room.commit(try commit(1...1, mayBePushed: true))
        _ = try await session.next("new")
        session.send(.ack(seq: 1), id: "7")
        _ = try await session.next("ok")
        #expect(store.acknowledged.isEmpty)
        await room.stop()
    }

    @Test func `a notification that a session was told of is taken in, and one it could not know is not confirmed`()
        async throws
    {
        let store = RecoveringStore(.success(Self.empty))
        let room = try await SessionRoom(store)
        let session = try room.session()
        _ = try await session.next("ready")
        await room.commit(try commit(1...2, mayBePushed: true))
        _ = try await session.next("new")
        session.send(.ack(seq: 3), id: "7")
        _ = try await session.next("new")
        let error = String(decoding: try await session.next("error").json, as: UTF8.self)
        #expect(error.contains(#""code":"not_told""#))
        #expect(store.acknowledged == [2])
        await room.stop()
    }

    @Test func `a failed write is told as temporary, and the same acknowledgement reaches the store once more`()
        async throws
    {
        let store = RecoveringStore(.success(Self.empty), acknowledging: .failure(.diskFull))
        let room = try await SessionRoom(store)
        let session = try room.session()
        _ = try await session.next("ready")
        await room.commit(try commit(1...1, mayBePushed: true))
        _ = try await session.next("new")
        for count in 1...2 {
            session.send(.ack(seq: 1), id: "7")
            let error = String(decoding: try await session.next("error").json, as: UTF8.self)
            #expect(error.contains(#""code":"disk_full""#))
            #expect(error.contains(#""temporary":true"#))
            #expect(store.acknowledged.count == count)
        }
        await room.stop()
    }

    @Test func `one commit that brings far more than may wait fills no memory for a reader who takes nothing`()
        async throws
    {
        let room = try await SessionRoom(RecoveringStore(.success(Self.empty)))
        try room.stuckSession()
        await room.await(1)
        // The kernel holds a few of these frames.
        let frameBytes = 1 << 20
        await room.commit(try commit(1...40, textBytes: frameBytes))
        let backlogs = await room.sessions { $0.map { $0.webSocket?.backlog ?? 0 } }
        #expect(backlogs.count == 1)
        let most = room.node.settings.limits.queuedBytes + 2 * frameBytes
        #expect(backlogs.allSatisfy { (1...most).contains($0) })
        #expect(room.node.metrics.framesFolded.count > 0)
        await room.stop()
    }

    @Test func `a session whose socket fails while a commit is told leaves in good order`() async throws {
        let room = try await SessionRoom(RecoveringStore(.success(Self.empty)))
        let session = try room.session()
        _ = try await session.next("ready")
        await room.breakSockets()
        await room.commit(try commit(1...3, textBytes: 1 << 20))
        #expect(await room.sessions { $0.count } == 0)
        #expect(room.node.metrics.sessions.level == 0)
        await room.stop()
    }
}
