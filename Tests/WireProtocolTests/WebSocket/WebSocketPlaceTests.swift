import Testing

@testable import WireProtocol

/// Where a message's bytes lie: what is whole in a read is neither copied nor kept.
struct WebSocketPlaceTests {
    enum Place: Equatable {
        case inTheRead(offset: Int)
        case gathered
    }

    private static func place(of bytes: UnsafeRawBufferPointer, in read: UnsafeRawBufferPointer) -> Place? {
        guard let start = bytes.baseAddress, let readStart = read.baseAddress else { return nil }
        return .inTheRead(offset: start - readStart)
    }

    /// Where each message of `pieces` was found.
    func places(_ pieces: [[UInt8]], _ machine: inout WebSocketMachine) -> [Place?] {
        var places: [Place?] = []
        for piece in pieces {
            var buffer = piece
            buffer.withUnsafeMutableBytes { buffer in
                var input = WebSocketInput(buffer)
                while let event = machine.next(in: &input, with: MessageCompression()) {
                    switch event {
                    case .text(.borrowed(let bytes)), .binary(.borrowed(let bytes)):
                        places.append(Self.place(of: bytes, in: UnsafeRawBufferPointer(buffer)))
                    case .text(.gathered), .binary(.gathered): places.append(.gathered)
                    case .ping, .pong, .finish: Issue.record("expected messages only")
                    }
                }
            }
        }
        return places
    }

    @Test func `messages that are whole in a read stay where they are`() {
        let frames =
            FrameEncoder.text("first".utf8, maskingKey: 1) + FrameEncoder.binary([UInt8](0...199), maskingKey: 2)
            + FrameEncoder.text("third".utf8, maskingKey: 3)
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 1000)
        #expect(places([frames], &machine) == [.inTheRead(offset: 6), .inTheRead(offset: 19), .inTheRead(offset: 225)])
    }

    @Test func `a payload that is whole in a read stays there though its header was cut`() {
        let frame = FrameEncoder.text("hello".utf8, maskingKey: 1)
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 1000)
        #expect(places([Array(frame[..<4]), Array(frame[4...])], &machine) == [.inTheRead(offset: 2)])
    }

    @Test func `a message that comes in pieces is gathered, with room behind it to read over`() {
        let frame = FrameEncoder.text("hello".utf8, maskingKey: 1)
        var machine = WebSocketMachine(role: .server, maximumMessageBytes: 1000)
        #expect(places([Array(frame[..<8]), Array(frame[8...])], &machine) == [.gathered])
        let fragments = FrameEncoder.fragments(ofText: "hello".utf8, maximumPayloadBytes: 2, maskingKey: 1)
        #expect(places([fragments.flatMap { $0 }], &machine) == [.gathered])
    }

    @Test(arguments: [[0x0A], [UInt8](repeating: 0x61, count: 3000)])
    func `behind a gathered message is padding`(_ message: [UInt8]) throws {
        var machine = WebSocketMachine.compressing(.client)
        var frames =
            FrameEncoder.fragments(ofText: message, maximumPayloadBytes: 1).flatMap { $0 }
            + FrameEncoder.fragments(ofText: message, maximumPayloadBytes: 1 << 20).flatMap { $0 }
            + CompressedFrames.message(data: try CompressedFrames.compressed(message), maskingKey: nil)
        var capacities: [Int] = []
        frames.withUnsafeMutableBytes { frames in
            var input = WebSocketInput(frames)
            while let event = machine.next(in: &input, with: MessageCompression()) {
                guard case .text(.gathered(let bytes)) = event else { continue }
                capacities.append(bytes.capacity)
            }
        }
        #expect(capacities.count >= (message.count > 1 ? 2 : 1))
        #expect(capacities.allSatisfy { $0 >= message.count + WebSocketPayload.paddingBytes })
    }
}
