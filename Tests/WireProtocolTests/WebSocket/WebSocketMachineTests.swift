import Testing

@testable import WireProtocol

struct WebSocketMachineTests {
    @Test(arguments: WebSocketExamples.ofTheRFC + WebSocketExamples.more, Array(1...12) + [4096, 100_000])
    func `gives the same events however the bytes are cut`(_ example: WireExample, chunkBytes: Int) {
        // A hundred thousand pieces would tell no more than these.
        let count = example.bytes.count > 1000 ? max(chunkBytes, 11) : chunkBytes
        var machine = WebSocketMachine(role: example.role, maximumMessageBytes: 1 << 20)
        #expect(machine.feed(example.bytes, inChunksOf: count) == example.events)
    }

    @Test func `many messages in one read come out one by one`() {
        let frames = (0..<500).flatMap {
            FrameEncoder.text("message \($0)".utf8, maskingKey: UInt32($0) &* 0x0101_0101)
        }
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 100)
        #expect(machine.feed(frames) == (0..<500).map { .text(Array("message \($0)".utf8)) })
    }

    @Test func `a message at the limit is taken, in one frame or in many`() {
        let text = [UInt8](repeating: 0x61, count: 1000)
        var machine = WebSocketMachine(role: .client, maximumMessageBytes: 1000)
        #expect(machine.feed(FrameEncoder.text(text)) == [.text(text)])
        let fragments = FrameEncoder.fragments(ofText: text, maximumPayloadBytes: 7)
        #expect(fragments.count == 143)
        #expect(machine.feed(fragments.flatMap { $0 }) == [.text(text)])
    }

    @Test func `a client masks what it answers, with the key it is given`() {
        var machine = WebSocketMachine(role: .client, maximumMessageBytes: 100)
        let events = machine.feed(FrameEncoder.ping([1, 2, 3, 4, 5]), maskingKey: 0x0102_0304)
        #expect(events == [.ping, .send([0x8A, 0x85, 1, 2, 3, 4, 0, 0, 0, 0, 4])])
    }

    @Test func `a server draws no masking key`() {
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 100)
        var frames = FrameEncoder.ping([], maskingKey: 1) + FrameEncoder.close(1000, maskingKey: 2)
        var draws = 0
        func draw() -> UInt32 {
            draws += 1
            return 0
        }
        var events = 0
        frames.withUnsafeMutableBytes { frames in
            var input = WebSocketInput(frames)
            while machine.next(in: &input, with: MessageCompression(), maskingKey: draw()) != nil { events += 1 }
        }
        #expect(events == 2)
        #expect(draws == 0)
    }

    @Test(arguments: WebSocketExamples.ofTheRFC + WebSocketExamples.more)
    func `a split at any byte gives the same events`(_ example: WireExample) {
        for split in stride(from: 0, through: example.bytes.count, by: max(1, example.bytes.count / 500)) {
            var machine = WebSocketMachine(role: example.role, maximumMessageBytes: 1 << 20)
            let pieces = [Array(example.bytes[..<split]), Array(example.bytes[split...])]
            #expect(machine.feed(pieces) == example.events, "split at \(split)")
        }
    }

    @Test func `a message before a fault in the same read is delivered first`() {
        let bytes = FrameEncoder.text("before".utf8) + [0x83, 0x00] + FrameEncoder.text("behind".utf8)
        var machine = WebSocketMachine(role: .client, maximumMessageBytes: 100)
        let events = machine.feed(bytes)
        #expect(events.first == .text(Array("before".utf8)))
        #expect(events.count == 3)
    }

    // MARK: Closing

    @Test func `a machine may be closed while an event is looked at, and tells nothing more`() {
        var frames = FrameEncoder.text("one".utf8) + FrameEncoder.text("two".utf8) + FrameEncoder.ping([])
        var machine = WebSocketMachine(role: .client, maximumMessageBytes: 100)
        var events: [HeardEvent] = []
        frames.withUnsafeMutableBytes { frames in
            var input = WebSocketInput(frames)
            while let event = machine.next(in: &input, with: MessageCompression()) {
                events += HeardEvent.heard(event)
                #expect(machine.close(1000, reason: "") != nil)
            }
        }
        #expect(events == [.text(Array("one".utf8))])
    }

    @Test func `the peer's answer to our close finishes, and its data in between is ignored`() {
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 100)
        #expect(
            machine.feed(FrameEncoder.fragments(ofText: "half".utf8, maximumPayloadBytes: 2, maskingKey: 1)[0]) == [])
        #expect(machine.close(4200, reason: "leaving") == [0x88, 0x09, 0x10, 0x68] + Array("leaving".utf8))
        #expect(machine.close(4200, reason: "leaving") == nil)
        let late =
            FrameEncoder.encode(.continuation, "rest".utf8, maskingKey: 2)
            + FrameEncoder.text("more".utf8, maskingKey: 3)
            + FrameEncoder.ping([], maskingKey: 4) + FrameEncoder.pong([], maskingKey: 5)
            + FrameEncoder.binary([UInt8](repeating: 1, count: 5000), maskingKey: 6)
        #expect(machine.feed(late, inChunksOf: 3) == [])
        let ending = WebSocketEnding(code: 4200, reason: "", isClean: true, initiator: .us, violation: nil)
        #expect(machine.feed(FrameEncoder.close(4200, maskingKey: 7)) == [.finish(ending)])
        #expect(machine.feed(FrameEncoder.text("x".utf8, maskingKey: 8)) == [])
        #expect(machine.transportClosed() == ending)
    }

    @Test func `a peer that breaks the protocol while we close gets no second close frame`() {
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 100)
        _ = machine.close(1001, reason: "")
        let ending = WebSocketEnding(
            code: 1001, reason: "", isClean: false, initiator: .us, violation: .missingMask)
        #expect(machine.feed(FrameEncoder.text("x".utf8)) == [.finish(ending)])
    }

    @Test func `a connection that is lost ends without a close frame`() {
        var open = WebSocketMachine(role: .server, maximumMessageBytes: 100)
        #expect(
            open.transportClosed()
                == WebSocketEnding(code: 1006, reason: "", isClean: false, initiator: .nobody, violation: nil))
        #expect(open.close(1000, reason: "") == nil)
        var closing = WebSocketMachine(role: .server, maximumMessageBytes: 100)
        _ = closing.close(4203, reason: "slow")
        #expect(
            closing.transportClosed()
                == WebSocketEnding(code: 4203, reason: "", isClean: false, initiator: .us, violation: nil))
    }

    @Test func `a reason that is too long is cut at the end of a character`() {
        let frame = FrameEncoder.close(1000, reason: String(repeating: "é", count: 100))
        #expect(frame.count == 2 + 2 + 122)
        #expect(String(validating: frame[4...], as: UTF8.self) == String(repeating: "é", count: 61))
    }

    @Test func `at rest a machine is small`() {
        // Ten thousand idle connections hold one each.
        #expect(MemoryLayout<WebSocketMachine>.size <= 16)
    }
}
