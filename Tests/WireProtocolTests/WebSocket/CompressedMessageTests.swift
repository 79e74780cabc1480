import Support
import Testing

@testable import WireProtocol

struct CompressedMessageTests {
    static let text = Array(String(repeating: "zażółć gęślą jaźń 🔔 ", count: 12).utf8)
    static let key: UInt32 = 0xC0FF_EE11

    /// Messages of all kinds, with control frames in between, as a client sends them.
    static func conversation() throws -> (bytes: [UInt8], events: [HeardEvent]) {
        let ping = FrameEncoder.ping("?".utf8, maskingKey: key)
        let pinged: [HeardEvent] = [.ping, .send(FrameEncoder.pong("?".utf8))]
        let data = try CompressedFrames.compressed(text)
        let bytes =
            CompressedFrames.message(data: data, maskingKey: key)
            + CompressedFrames.message(
                data: data, maximumPayloadBytes: (data.count + 2) / 3, between: ping, maskingKey: key)
            + FrameEncoder.text(text, maskingKey: key)
            + CompressedFrames.message(data: [0x00], maskingKey: key)
            + CompressedFrames.message(.binary, data: data, maximumPayloadBytes: 7, maskingKey: key)
            + FrameEncoder.fragments(ofText: text, maximumPayloadBytes: 50, maskingKey: key).flatMap { $0 }
            + FrameEncoder.close(1000, maskingKey: key)
        let events: [HeardEvent] =
            [.text(text)] + pinged + pinged + [.text(text), .text(text), .text([]), .binary(text), .text(text)] + [
                .send(FrameEncoder.close(1000)),
                .finish(.init(code: 1000, reason: "", isClean: true, initiator: .peer, violation: nil)),
            ]
        return (bytes, events)
    }

    @Test func `a conversation split at any byte gives the same events`() throws {
        let (bytes, events) = try Self.conversation()
        let compression = MessageCompression()
        for split in 0...bytes.count {
            var machine = WebSocketMachine.compressing(.server)
            let pieces = [Array(bytes[..<split]), Array(bytes[split...])]
            #expect(machine.feed(pieces, with: compression) == events, "split at \(split)")
        }
    }

    @Test(arguments: 1...40)
    func `a conversation cut in many places gives the same events`(_ seed: Int) throws {
        let (bytes, events) = try Self.conversation()
        var random = SeededRandom(seed: UInt64(seed))
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = 1 + random.next(below: 1 + random.next(below: 120))
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        var machine = WebSocketMachine.compressing(.server)
        #expect(machine.feed(pieces) == events)
    }

    @Test func `connections that take turns do not disturb each other's messages`() throws {
        let (bytes, events) = try Self.conversation()
        let compression = MessageCompression()
        var machines = (0..<3).map { _ in WebSocketMachine.compressing(.server) }
        var heard = [[HeardEvent]](repeating: [], count: 3)
        for piece in bytes.chunks(of: 11) {
            for index in machines.indices { heard[index] += machines[index].feed(piece, with: compression) }
        }
        #expect(heard.allSatisfy { $0 == events })
    }

    // MARK: Rules

    static let misplaced: [(String, [UInt8])] = [
        ("on a continuation", [0x41, 0x00, 0xC0, 0x00]),
        ("on a ping", [0xC9]), ("on a pong", [0xCA]), ("on a close", [0xC8]),
        ("with RSV2", [0xE1]), ("with RSV3", [0xD2]), ("RSV2 alone", [0xA1]), ("RSV3 alone", [0x91]),
        ("on a fragmented ping", [0x49]),
    ]

    @Test(arguments: misplaced)
    func `RSV1 belongs to the first frame of a message only`(_ name: String, bytes: [UInt8]) {
        for count in 1...4 {
            var machine = WebSocketMachine.compressing(.client)
            let ending = WebSocketEnding(
                code: 1002, reason: "", isClean: false, initiator: .us, violation: .reservedBit)
            #expect(machine.feed(bytes, inChunksOf: count).last == .finish(ending))
        }
    }

    @Test func `without the agreement no frame may be compressed`() {
        var machine = WebSocketMachine(role: .client, maximumMessageBytes: 100)
        let events = machine.feed(CompressedFrames.message(data: [0x00], maskingKey: nil))
        guard case .finish(let ending)? = events.last else {
            Issue.record("did not finish")
            return
        }
        #expect(ending.violation == .reservedBit)
    }

    static let broken: [(String, [UInt8], WebSocketViolation)] = [
        ("no deflate", [0xFF, 0xFF, 0xFF], .invalidCompression),
        ("no data at all", [], .invalidCompression),
        ("a block that does not end", [0xF2, 0x48, 0xCD], .invalidCompression),
        // A stored block each.
        ("text that is not UTF-8", [0x00, 0x02, 0x00, 0xFD, 0xFF, 0xC3, 0x28, 0x00], .invalidUTF8),
        ("a character cut at the end", [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xC3, 0x00], .invalidUTF8),
    ]

    @Test(arguments: broken)
    func `an unreadable message closes with 1007, whole or in pieces`(
        _ name: String, data: [UInt8], violation: WebSocketViolation
    ) {
        let ending = WebSocketEnding(code: 1007, reason: "", isClean: false, initiator: .us, violation: violation)
        for (payloadBytes, chunkBytes) in [(100, 100), (100, 1), (2, 100), (1, 3)] {
            var machine = WebSocketMachine.compressing(.client)
            let bytes =
                CompressedFrames.message(data: [0x00], maskingKey: nil)
                + CompressedFrames.message(data: data, maximumPayloadBytes: payloadBytes, maskingKey: nil)
            let events = machine.feed(bytes, inChunksOf: chunkBytes)
            #expect(events.first == .text([]))
            #expect(events.last == .finish(ending))
        }
    }

    @Test func `binary data may hold what is no UTF-8`() {
        var machine = WebSocketMachine.compressing(.client)
        let data: [UInt8] = [0x00, 0x02, 0x00, 0xFD, 0xFF, 0xC3, 0x28, 0x00]
        let events = machine.feed(CompressedFrames.message(.binary, data: data, maskingKey: nil))
        #expect(events == [.binary([0xC3, 0x28])])
    }

    @Test func `a block that is marked as the last is not`() {
        var machine = WebSocketMachine.compressing(.client)
        // RFC 7692 §7.2.3.4.
        let data: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        #expect(machine.feed(CompressedFrames.message(data: data, maskingKey: nil)) == [.text(Array("Hello".utf8))])
    }

    // MARK: Limits

    static let tooBig = WebSocketEnding(
        code: 1009, reason: "", isClean: false, initiator: .us, violation: .messageTooBig)

    @Test(arguments: [(1 << 20, 1 << 20), (100, 1 << 20), (100, 64)])
    func `a bomb closes with 1009, whole or in pieces`(_ payloadBytes: Int, chunkBytes: Int) throws {
        let bomb = try CompressedFrames.compressed([UInt8](repeating: 0x61, count: 4 << 20))
        #expect(bomb.count < 5000)
        var machine = WebSocketMachine.compressing(.client, maximumMessageBytes: 64 << 10)
        let frames = CompressedFrames.message(data: bomb, maximumPayloadBytes: payloadBytes, maskingKey: nil)
        #expect(machine.feed(frames, inChunksOf: chunkBytes).last == .finish(Self.tooBig))
    }

    @Test func `a message at the limit is taken, and one byte more is not`() throws {
        let noise = DeflatePayload.random.bytes(5001)
        for message in [noise, [UInt8](repeating: 0x61, count: 5001)] {
            for (count, isTaken) in [(5000, true), (5001, false)] {
                let data = try CompressedFrames.compressed(Array(message.prefix(count)))
                for payloadBytes in [10_000, 999] {
                    var machine = WebSocketMachine.compressing(.client, maximumMessageBytes: 5000)
                    let frames = CompressedFrames.message(
                        .binary, data: data, maximumPayloadBytes: payloadBytes, maskingKey: nil)
                    let events = machine.feed(frames, inChunksOf: 700)
                    #expect(events.last == (isTaken ? .binary(Array(message.prefix(count))) : .finish(Self.tooBig)))
                }
            }
        }
    }

    @Test func `compressed data is not gathered far beyond the limit`() {
        var machine = WebSocketMachine.compressing(.client, maximumMessageBytes: 1000)
        // Frames of stored blocks without content, which inflate to nothing for ever.
        let empty = [UInt8](repeating: 0x00, count: 100)
        var frames = FrameEncoder.encode(.binary, isFinal: false, isCompressed: true, empty, maskingKey: nil)
        #expect(machine.feed(frames) == [])
        frames = FrameEncoder.encode(.continuation, isFinal: false, empty, maskingKey: nil)
        var gathered = 100
        while gathered < 5000 {
            guard machine.feed(frames) == [] else { break }
            gathered += 100
        }
        #expect((1000...1200).contains(gathered))
        #expect(!machine.isOpen)
    }

    @Test func `a frame that announces too much is refused by its header`() {
        var machine = WebSocketMachine.compressing(.client, maximumMessageBytes: 1000)
        #expect(machine.feed([0xC2, 0x7E, 0x08, 0x00]).last == .finish(Self.tooBig))
    }
}
