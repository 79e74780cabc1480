import EngineClient
import Testing
import Transport
import WireProtocol

/// A live client on a real connection.
struct LiveClientTests {
    @Test(.mayNotHang)
    func `it gives a server up that is silent for longer than a heartbeat and the grace`() async throws {
        let shards = try ShardPair()
        let address = try await shards.serve { MuteService() }
        let options = LiveClient.Options(
            url: try WebSocketURL("ws://\(address)"), token: "t", silenceGrace: .milliseconds(10))
        let (events, continuation) = AsyncStream.makeStream(of: LiveClient.Event.self)
        shards.readers.post { on in
            LiveClient(options) { event, _ in continuation.yield(event) }.connect(on)
        }
        var told: [String] = []
        for await event in events {
            switch event {
            case .frame(let frame): told.append(frame.type)
            case .silent: told.append("silent")
            case .garbage, .failed, .closed: Issue.record("\(event)")
            }
            if case .frame = event { continue }
            break
        }
        #expect(told == ["ready", "silent"])
        await shards.stop()
    }
}

/// Answers each hello with `ready`, and then says nothing, as a machine that has vanished.
private final class MuteService: HTTPService {
    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        do throws(HandshakeFailure) {
            return .upgrade(try WebSocketHandshake.accept(head) { $0.first }, Session())
        } catch {
            return .answer(error.response)
        }
    }

    private final class Session: WebSocketHandler {
        let maximumMessageBytes = 1 << 10
        private var webSocket: WebSocketConnection?

        func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) { self.webSocket = webSocket }

        func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
            webSocket?.send(text: Array(#"{"type":"ready","epoch":"e","seq":7,"heartbeat":1}"#.utf8), on)
        }

        func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) { webSocket = nil }
        func isAlive(_ on: borrowing OnShard) {}
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) {}
    }
}
