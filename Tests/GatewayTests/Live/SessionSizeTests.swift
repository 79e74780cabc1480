import Inbox
import Storage
import Support
import Testing
import WireProtocol

@testable import Gateway

/// Ten thousand idle sessions hold one each of what is measured here.
struct SessionSizeTests {
    @Test func `a session takes at most 128 bytes of the heap, its user's name aside`() async throws {
        let live = LiveShard(node: try await PublishListener(StalledStore()).node)
        let bytes = HeapSize.leastUsableBytes {
            let session = LiveSession(live: live, credentials: nil, refusal: nil, at: .now)
            session.newcomer = nil
            return session
        }
        // Without malloc's own eight.
        #expect(bytes.map { $0 <= 120 } == true)
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

    @Test func `what a session that follows a feed has apart takes at most 64 bytes of the heap`() throws {
        let bytes = HeapSize.leastUsableBytes { SessionExtras() }
        #expect(bytes.map { $0 <= 56 } == true)
    }

    @Test func `the machines of a session are small`() {
        #expect(MemoryLayout<SessionMachine>.size <= 24)
        #expect(MemoryLayout<Heartbeat>.size <= 16)
        #expect(MemoryLayout<RateWindow>.size <= 8)
        #expect(MemoryLayout<CredentialLifetime>.size <= 9)
        #expect(MemoryLayout<FeedSubscription>.size <= 9)
    }
}
