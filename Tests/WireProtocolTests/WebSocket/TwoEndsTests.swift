import Testing

@testable import WireProtocol

/// A client's machine and a server's, joined in memory.
private struct Link {
    var client = WebSocketMachine(role: .client, maximumMessageBytes: 1 << 20)
    var server = WebSocketMachine(role: .server, maximumMessageBytes: 1 << 20)
    var clientEvents: [HeardEvent] = []
    var serverEvents: [HeardEvent] = []
    let chunkBytes: Int

    mutating func toServer(_ bytes: [UInt8]) {
        for event in server.feed(bytes, inChunksOf: chunkBytes) {
            if case .send(let answer) = event { toClient(answer) } else { serverEvents.append(event) }
        }
    }

    mutating func toClient(_ bytes: [UInt8]) {
        for event in client.feed(bytes, inChunksOf: chunkBytes, maskingKey: 0xDEAD_BEEF) {
            if case .send(let answer) = event { toServer(answer) } else { clientEvents.append(event) }
        }
    }
}

struct TwoEndsTests {
    @Test(arguments: [1, 2, 5, 64, 100_000])
    func `two ends talk and close`(_ chunkBytes: Int) {
        var link = Link(chunkBytes: chunkBytes)
        link.toServer(FrameEncoder.text(#"{"type":"hello"}"#.utf8, maskingKey: 0x1234_5678))
        link.toClient(FrameEncoder.text("κόσμε".utf8))
        link.toClient(FrameEncoder.ping("are you there".utf8))
        link.toServer(FrameEncoder.ping([], maskingKey: 9))
        link.toServer(
            FrameEncoder.fragments(ofText: "κόσμε".utf8, maximumPayloadBytes: 3, maskingKey: 77).flatMap { $0 })
        if let close = link.server.close(4200, reason: "leaving") { link.toClient(close) }

        let text = Array("κόσμε".utf8)
        #expect(
            link.serverEvents == [
                .text(Array(#"{"type":"hello"}"#.utf8)), .pong, .ping, .text(text),
                .finish(.init(code: 4200, reason: "", isClean: true, initiator: .us, violation: nil)),
            ])
        #expect(
            link.clientEvents == [
                .text(text), .ping, .pong,
                .finish(.init(code: 4200, reason: "leaving", isClean: true, initiator: .peer, violation: nil)),
            ])
    }

    @Test(arguments: [0, 1, 125, 126, 127, 65535, 65536, 100_000])
    func `messages around every step of the length survive the way both ways`(_ count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for chunkBytes in [1009, 4096, 1 << 20] {
            var link = Link(chunkBytes: chunkBytes)
            link.toServer(FrameEncoder.binary(payload, maskingKey: 0x0F1E_2D3C))
            link.toClient(FrameEncoder.binary(payload))
            #expect(link.serverEvents == [.binary(payload)])
            #expect(link.clientEvents == [.binary(payload)])
        }
    }

    @Test func `closes that cross each other are clean for both`() {
        var link = Link(chunkBytes: 100)
        let ours = link.server.close(1001, reason: "")
        let theirs = link.client.close(1000, reason: "", maskingKey: 5)
        link.toServer(theirs ?? [])
        link.toClient(ours ?? [])
        #expect(
            link.serverEvents == [.finish(.init(code: 1001, reason: "", isClean: true, initiator: .us, violation: nil))]
        )
        #expect(
            link.clientEvents == [.finish(.init(code: 1000, reason: "", isClean: true, initiator: .us, violation: nil))]
        )
    }
}
