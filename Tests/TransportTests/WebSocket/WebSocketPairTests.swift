import Testing
import WireProtocol

@testable import Transport

struct WebSocketPairTests {
    /// One end of a pair, and what it hears.
    private final class End: Sendable {
        let journal = Journal<RecordingWebSocket.Event>()
        private let references = Journal<WebSocketReference>()

        func handler(_ react: RecordingWebSocket.Reaction? = nil) -> RecordingWebSocket {
            RecordingWebSocket(journal, references, react: react)
        }

        func opened() throws -> WebSocketReference { try references.next() }
    }

    private let server = End()
    private let client = End()

    private func open(_ host: TestShard) throws -> (server: WebSocketReference, client: WebSocketReference) {
        try host.run { [server, client] on in
            try WebSocketPair.open(server: server.handler(), client: client.handler(), on)
        }
        return (try server.opened(), try client.opened())
    }

    @Test(arguments: PollerKind.allCases)
    func `messages go both ways, and each end hears of the other's close`(_ poller: PollerKind) throws {
        let host = try TestShard(poller)
        let ends = try open(host)
        ends.server.act { webSocket, on in webSocket.send(text: Array("down".utf8), on) }
        #expect(try client.journal.next() == .text(Array("down".utf8)))
        ends.client.act { webSocket, on in webSocket.send(text: Array("up".utf8), on) }
        #expect(try server.journal.next() == .text(Array("up".utf8)))
        ends.server.act { webSocket, on in webSocket.close(4200, reason: "leaving", on) }
        guard case .closed(let ending) = try client.journal.next() else {
            Issue.record("the client's end is not closed")
            return
        }
        #expect(ending.code == 4200)
        #expect(ending.reason == "leaving")
        #expect(ending.isClean)
    }

    @Test func `an end that does not read blocks the other one, whose bytes come once it reads again`() throws {
        let host = try TestShard(.epoll)
        let ends = try open(host)
        ends.client.act { webSocket, on in webSocket.setReading(false, on) }
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 400 << 10)
        ends.server.act { webSocket, on in for _ in 0..<4 { webSocket.send(text: long, on) } }
        #expect(try server.journal.next() == .outputBlocked)
        ends.client.act { webSocket, on in webSocket.setReading(true, on) }
        for _ in 0..<4 { #expect(try client.journal.next() == .text(long)) }
        #expect(try server.journal.next() == .outputDrained)
    }

    @Test func `an end that vanishes leaves the other one without a close frame`() throws {
        let host = try TestShard(.epoll)
        let ends = try open(host)
        ends.client.act { webSocket, on in webSocket.abort(on) }
        guard case .closed(let ending) = try server.journal.next() else {
            Issue.record("the server's end is not closed")
            return
        }
        #expect(ending.code == 1006)
    }
}
