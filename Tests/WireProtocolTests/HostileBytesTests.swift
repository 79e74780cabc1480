import Support
import Testing

@testable import WireProtocol

/// Hostile bytes must be judged the same however they are cut, and must never trap.
struct HostileBytesTests {
    /// `bytes` with some of them changed, dropped or doubled.
    func damaged(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.next(below: 3) where !bytes.isEmpty {
            let index = random.next(below: bytes.count)
            switch random.next(below: 4) {
            case 0: bytes[index] = UInt8(random.next(below: 256))
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[index], at: index)
            default: bytes[index] ^= 1 << UInt8(random.next(below: 8))
            }
        }
        return bytes
    }

    @Test(arguments: [WebSocketRole.server, .client])
    func `damaged frames end a WebSocket in one way only`(_ role: WebSocketRole) {
        var random = SeededRandom(seed: 3)
        let key: UInt32? = role == .server ? 0x1122_3344 : nil
        let frames =
            FrameEncoder.fragments(ofText: "κόσμε 🔔".utf8, maximumPayloadBytes: 4, maskingKey: key).flatMap { $0 }
            + FrameEncoder.ping([1, 2, 3], maskingKey: key) + FrameEncoder.binary([UInt8](0...200), maskingKey: key)
            + FrameEncoder.close(1000, reason: "bye", maskingKey: key)
        for _ in 0..<1500 {
            let bytes = damaged(frames, &random)
            var whole = WebSocketMachine(role: role, maximumMessageBytes: 300)
            var pieces = WebSocketMachine(role: role, maximumMessageBytes: 300)
            let events = whole.feed(bytes)
            #expect(pieces.feed(bytes, inChunksOf: 1 + random.next(below: 9)) == events, "\(bytes)")
            #expect(whole.transportClosed() == pieces.transportClosed())
        }
    }

    @Test(arguments: [WebSocketRole.server, .client])
    func `damaged compressed frames end a WebSocket in one way only`(_ role: WebSocketRole) throws {
        var random = SeededRandom(seed: 9)
        let key: UInt32? = role == .server ? 0x1122_3344 : nil
        let data = try CompressedFrames.compressed(Array(String(repeating: "κόσμε 🔔 ", count: 20).utf8))
        let frames =
            CompressedFrames.message(data: data, maskingKey: key)
            + CompressedFrames.message(
                data: data, maximumPayloadBytes: 11, between: FrameEncoder.pong([], maskingKey: key), maskingKey: key)
            + FrameEncoder.text("plain".utf8, maskingKey: key) + FrameEncoder.close(1000, maskingKey: key)
        let (compression, other) = (MessageCompression(), MessageCompression())
        for _ in 0..<1500 {
            let bytes = damaged(frames, &random)
            var whole = WebSocketMachine.compressing(role, maximumMessageBytes: 400)
            var pieces = WebSocketMachine.compressing(role, maximumMessageBytes: 400)
            let events = whole.feed(bytes, with: compression)
            let heard = pieces.feed(bytes, inChunksOf: 1 + random.next(below: 30), with: other)
            #expect(heard == events, "\(bytes)")
            #expect(whole.transportClosed() == pieces.transportClosed())
        }
    }

    /// A parser's result for some bytes, in a form that can be compared.
    func outcome(of bytes: [UInt8], inChunksOf count: Int) -> [String] {
        var parser = HTTPRequestParser(maximumHeadBytes: 400, maximumBodyBytes: 50)
        var outcome: [String] = []
        var body: [UInt8] = []
        do {
            for chunk in bytes.chunks(of: count) {
                chunk.withUnsafeBytes { parser.append($0) }
                while let event = try parser.next() {
                    switch event {
                    case .head(let head): outcome.append("\(head.method) \(head.target) \(head.headers)")
                    case .body(let piece): body += piece
                    case .end:
                        outcome.append("end of \(body)")
                        body = []
                    }
                }
            }
        } catch {
            outcome.append("\(error)")
        }
        return outcome
    }

    @Test func `damaged requests are read in one way only`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<1500 {
            let bytes = damaged(Array(HTTPRequestParserTests.pipeline.utf8), &random)
            #expect(outcome(of: bytes, inChunksOf: 1 + random.next(below: 9)) == outcome(of: bytes, inChunksOf: 10_000))
        }
    }
}
