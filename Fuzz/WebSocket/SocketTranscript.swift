@testable import WireProtocol

/// All that our machine makes of some bytes.
struct SocketTranscript {
    private(set) var events: [SocketEvent] = []
    private var machine: WebSocketMachine
    private let settings: SocketSettings
    private let compression = MessageCompression()

    init(of bytes: [UInt8], _ settings: SocketSettings, cut chunking: Chunking) {
        self.settings = settings
        machine = WebSocketMachine(
            role: settings.role, maximumMessageBytes: settings.maximumMessageBytes,
            acceptsBinary: settings.acceptsBinary, deflate: settings.deflate)
        for chunk in chunking.cut(bytes) { take(chunk) }
    }

    private mutating func take(_ chunk: ArraySlice<UInt8>) {
        // What lies behind a read can be read, too, and means nothing.
        let (count, padding) = (chunk.count, UInt8(0xA5))
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: count + WebSocketPayload.paddingBytes, alignment: 1)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: padding)
        memory.copyBytes(from: chunk)
        var input = WebSocketInput(UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
        while let event = machine.next(in: &input, with: compression) { record(event) }
        // Looked at only behind longer reads: it takes longer than all the rest.
        claim(count == 1 || memory[count...].allSatisfy { $0 == padding }, "bytes behind the input were changed")
    }

    private mutating func record(_ event: WebSocketEvent) {
        switch events.last {
        case .closed?, .failed?: fatalError("an event after the end")
        case .text?, .binary?, .ping?, .pong?, nil: break
        }
        switch event {
        case .text(let payload): events.append(.text(payload.copyReadingPadding))
        case .binary(let payload): events.append(.binary(payload.copyReadingPadding))
        case .ping(let pong): events.append(.ping(payload(of: pong, .pong)))
        case .pong: events.append(.pong)
        case .finish(let ending, let closeFrame): finish(ending, closeFrame)
        }
        guard settings.closesEarly, machine.isOpen, events.count == 1 else { return }
        let frame = machine.close(SocketSettings.earlyCloseCode, reason: "bye")
        claimEqual(frame.map { payload(of: $0, .close) }, [3, 0xE9] + Array("bye".utf8), "a close frame that is none")
        claim(machine.close(1000, reason: "") == nil, "a second close frame")
    }

    private mutating func finish(_ ending: WebSocketEnding, _ closeFrame: [UInt8]?) {
        let reply = closeFrame.map { frame in
            let reply = payload(of: frame, .close).withUnsafeBytes { try? CloseFrame(parsing: $0) }
            guard let reply else { fatalError("a close frame that a peer could not read") }
            return reply
        }
        claimEqual(machine.transportClosed(), ending, "an ending that changes")
        if let violation = ending.violation {
            claim(
                !ending.isClean && reply.map { $0.code == violation.closeCode } != false,
                "another code than the fault's")
            events.append(.failed(code: violation.closeCode, hasCloseFrame: reply != nil))
        } else {
            claim(ending.isClean, "neither a fault nor a clean close")
            events.append(
                .closed(
                    code: ending.code, reason: ending.reason, byPeer: ending.initiator == .peer, reply: reply?.code))
        }
    }

    /// The payload of a control frame of ours; the masking key is 0.
    private func payload(of frame: [UInt8], _ opcode: Opcode) -> [UInt8] {
        let mask: UInt8 = settings.role == .client ? 0x80 : 0
        claim(frame.count >= 2 && frame[0] == 0x80 | opcode.rawValue, "a control frame of another kind")
        claim(frame[1] & 0x80 == mask && frame[1] & 0x7F <= 125, "a control frame that a peer must refuse")
        let payload = frame.dropFirst(mask == 0 ? 2 : 6)
        claimEqual(payload.count, Int(frame[1] & 0x7F), "a control frame of another length than it says")
        return Array(payload)
    }
}

extension WebSocketPayload {
    /// The bytes; the sanitizer judges whether those behind them can be read.
    fileprivate var copyReadingPadding: [UInt8] {
        withUnsafeBytes { bytes in
            let padded = UnsafeRawBufferPointer(start: bytes.baseAddress, count: bytes.count + Self.paddingBytes)
            return Array(Array(padded).prefix(bytes.count))
        }
    }
}
