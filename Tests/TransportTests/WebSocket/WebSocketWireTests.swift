import Testing
import WireProtocol

@testable import Transport

/// A server's WebSocket against bytes that no client of ours would send.
@Suite struct WebSocketWireTests {
    typealias Event = RecordingWebSocket.Event

    private let journal = Journal<Event>()
    private let references = Journal<WebSocketReference>()

    private func server(_ poller: PollerKind, react: RecordingWebSocket.Reaction? = nil) throws -> TestHTTPServer {
        try TestHTTPServer(poller, decide: RecordingWebSocket.accepting(journal, references, react: react))
    }

    @Test(arguments: PollerKind.allCases)
    func `frames right behind the handshake are heard`(poller: PollerKind) throws {
        let server = try server(poller)
        let client = try server.connect()
        try client.upgrade(
            with: FrameEncoder.text("one".utf8, maskingKey: 1) + FrameEncoder.text("two".utf8, maskingKey: 2))
        #expect(try journal.next(2) == [.text(Array("one".utf8)), .text(Array("two".utf8))])
    }

    @Test(arguments: PollerKind.allCases)
    func `a close right behind the handshake is answered`(poller: PollerKind) throws {
        let server = try server(poller)
        let client = try server.connect()
        try client.upgrade(with: FrameEncoder.close(1000, maskingKey: 1))
        #expect(try client.readToEnd() == FrameEncoder.close(1000))
    }

    struct Violation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let code: UInt16
    }

    static let violations = [
        Violation(testDescription: "unmasked", bytes: FrameEncoder.text("hi".utf8), code: 1002),
        Violation(testDescription: "no UTF-8", bytes: FrameEncoder.text([0xC3, 0x28], maskingKey: 7), code: 1007),
        Violation(testDescription: "binary", bytes: FrameEncoder.binary([1], maskingKey: 7), code: 1003),
        Violation(
            testDescription: "too large",
            bytes: FrameEncoder.text([UInt8](repeating: 0x61, count: 2 << 20), maskingKey: 7), code: 1009),
        Violation(testDescription: "reserved opcode", bytes: [0x83, 0x80, 0, 0, 0, 0], code: 1002),
    ]

    @Test(arguments: PollerKind.allCases, violations)
    func `a violation is answered by its code and the end`(poller: PollerKind, violation: Violation) throws {
        let server = try server(poller)
        let client = try server.connect()
        try client.upgrade()
        try client.send(violation.bytes)
        let frame = try client.readToEnd()
        try #require(frame.count >= 4)
        #expect(frame[0] == 0x88 && Int(frame[1]) == frame.count - 2)
        #expect(UInt16(frame[2]) << 8 | UInt16(frame[3]) == violation.code)
        client.finishSending()
        guard case .closed(let ending) = try journal.next() else { throw TestSocket.UnexpectedEnd() }
        #expect(ending.code == violation.code && ending.initiator == .us && !ending.isClean)
        #expect(journal.rest == [])
    }

    @Test(arguments: PollerKind.allCases)
    func `a ping's data comes back`(poller: PollerKind) throws {
        let server = try server(poller)
        let client = try server.connect()
        try client.upgrade()
        try client.send(FrameEncoder.ping("data".utf8, maskingKey: 9))
        #expect(try client.read(exactly: 6) == FrameEncoder.pong("data".utf8))
        #expect(try journal.next() == .alive)
    }

    @Test func `a client that pings and takes no pongs does not fill the memory`() throws {
        let server = try server(.epoll)
        let client = try server.connect(receiveBufferBytes: 16 << 10)
        try client.upgrade()
        let reference = try references.next()
        // Fills the kernel's buffers first, so that pongs have to wait.
        reference.act { webSocket, on in webSocket.send(text: [UInt8](repeating: 0x61, count: 8 << 20), on) }
        #expect(try journal.next() == .outputBlocked)
        let backlog = Journal<Int>()
        reference.act { webSocket, _ in backlog.write(webSocket.backlog) }
        let before = try backlog.next()
        let ping = FrameEncoder.ping([UInt8](repeating: 1, count: 125), maskingKey: 3)
        for _ in 0..<5_000 { try client.send(ping) }
        _ = try journal.next(5_000)
        reference.act { webSocket, _ in backlog.write(webSocket.backlog) }
        #expect(try backlog.next() <= before)
    }

    @Test(arguments: PollerKind.allCases)
    func `a handler's deadline comes, and not once the WebSocket closes`(poller: PollerKind) throws {
        let server = try server(poller) { event, webSocket, on in
            if event == .deadlineReached { webSocket.close(4000, reason: "", on) }
        }
        let client = try server.connect()
        try client.upgrade()
        try references.next().act { webSocket, on in webSocket.setDeadline(on.now + .milliseconds(20), on) }
        #expect(try client.read(exactly: 4) == FrameEncoder.close(4000))
        #expect(try journal.next() == .deadlineReached)
        try client.send(FrameEncoder.close(4000, maskingKey: 5))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `a handler that closes hears nothing of what came behind, nor that its output waits`(
        poller: PollerKind
    ) throws {
        let server = try server(poller) { event, webSocket, on in
            guard case .text = event else { return }
            webSocket.send(text: [UInt8](repeating: 0x61, count: 8 << 20), on)
            webSocket.close(4000, reason: "", on)
        }
        let client = try server.connect(receiveBufferBytes: 16 << 10)
        try client.upgrade()
        let frame = FrameEncoder.text("hi".utf8, maskingKey: 1)
        try client.send(frame + frame + FrameEncoder.ping([], maskingKey: 2) + frame)
        _ = try client.read(exactly: 10 + 8 << 20)
        #expect(try client.read(exactly: 4) == FrameEncoder.close(4000))
        try client.send(frame + FrameEncoder.close(4000, maskingKey: 5))
        #expect(try client.readToEnd().isEmpty)
        #expect(try journal.next() == .text(Array("hi".utf8)))
        guard case .closed(let ending) = try journal.next() else { throw TestSocket.UnexpectedEnd() }
        #expect(ending.isClean)
        #expect(journal.rest == [])
    }
}
