import Inbox
import Store
import Support
import Testing
import WireProtocol

@testable import Gateway

/// Ten thousand idle sessions hold one each of what is measured here.
struct SessionSizeTests {
    @Test func `a session takes at most 128 bytes of the heap, its user's name aside`() {
        // Without malloc's own eight.
        #expect(HeapSize.bytes(of: LiveSession.self) <= 120)
    }

    @Test func `a session has nothing apart from itself but what it needs`() async throws {
        let live = LiveShard(node: try await PublishListener(StalledStore()).node)
        let session = LiveSession(live: live, credentials: nil, refusal: .drain, at: .now)
        #expect(session.newcomer?.refusal == .drain)
        session.newcomer = nil
        #expect(session.extras == nil)
        session.feedClaims = FeedClaims()
        session.stall = nil
        session.heldSettings = nil
        #expect(session.extras == nil)
        session.stall = SessionExtras.Stall(since: Moment(.now), takenBytes: 7)
        #expect(session.stall?.takenBytes == 7)
        session.stall = nil
        #expect(session.extras == nil)
    }

    @Test func `a session that follows a feed has at most 64 bytes of the heap for it`() {
        #expect(HeapSize.bytes(of: SessionExtras.self) <= 56)
    }

    @Test func `the machines of a session are small`() {
        #expect(MemoryLayout<SessionMachine>.size <= 24)
        #expect(MemoryLayout<Heartbeat>.size <= 16)
        #expect(MemoryLayout<RateWindow>.size <= 8)
        #expect(MemoryLayout<CredentialLifetime>.size <= 9)
        #expect(MemoryLayout<FeedSubscription>.size <= 9)
    }
}
