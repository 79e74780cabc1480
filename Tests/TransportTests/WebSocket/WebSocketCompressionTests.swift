import Support
import Testing

@testable import Transport
@testable import WireProtocol

/// permessage-deflate on the wire, and what a frame for many costs.
@Suite struct WebSocketCompressionTests {
    typealias Event = RecordingWebSocket.Event

    private static let settings = DeflateSettings(thresholdBytes: 100, level: 6, windowBits: 15)
    private static let text = Array(String(repeating: "all of it again, ", count: 30).utf8)

    private let journal = Journal<Event>()
    private let references = Journal<WebSocketReference>()

    private func server(deflate: DeflateSettings? = settings) throws -> TestHTTPServer {
        try TestHTTPServer(.epoll, decide: RecordingWebSocket.accepting(journal, references, deflate: deflate))
    }

    /// Reads one frame whose length fits two bytes.
    private func readFrame(_ client: TestSocket) throws -> [UInt8] {
        var frame = try client.read(exactly: 2)
        if frame[1] == 126 { frame += try client.read(exactly: 2) }
        let payloadBytes = frame[1] < 126 ? Int(frame[1]) : Int(frame[2]) << 8 | Int(frame[3])
        return frame + (try client.read(exactly: payloadBytes))
    }

    @Test(arguments: [true, false])
    func `messages are compressed from the threshold on, if that was agreed on`(isOffered: Bool) throws {
        let server = try server()
        let client = try server.connect()
        let head = try client.upgrade(extensions: isOffered ? "permessage-deflate" : nil)
        #expect(head.contains("Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover") == isOffered)
        let reference = try references.next()
        reference.act { webSocket, on in webSocket.send(text: Array(Self.text.prefix(99)), on) }
        #expect(try readFrame(client) == FrameEncoder.text(Self.text.prefix(99)))
        reference.act { webSocket, on in webSocket.send(text: Self.text, on) }
        let frame = try readFrame(client)
        #expect((frame[0] == 0xC1) == isOffered)
        #expect((frame.count < Self.text.count / 2) == isOffered)
    }

    @Test func `a server without settings declines`() throws {
        let server = try server(deflate: nil)
        let client = try server.connect()
        #expect(try !client.upgrade(extensions: "permessage-deflate").contains("Sec-WebSocket-Extensions"))
    }

    @Test func `compressed and plain messages in one read are heard in their order`() throws {
        let server = try server()
        let client = try server.connect()
        let compressed = try #require(
            Self.text.withUnsafeBytes {
                MessageCompression().frame(.text, $0, DeflateAgreement(windowBits: 15), Self.settings, maskingKey: 9)
            })
        try client.upgrade(
            extensions: "permessage-deflate",
            with: compressed + FrameEncoder.text("plain".utf8, maskingKey: 3) + compressed)
        #expect(try journal.next(3) == [.text(Self.text), .text(Array("plain".utf8)), .text(Self.text)])
    }

    // MARK: For many

    private func address(_ frame: [UInt8]) -> UnsafeRawPointer? { frame.withUnsafeBytes { $0.baseAddress } }

    @Test func `a message for many is compressed once for each window, and its bytes are shared`() {
        let (message, compression) = (OutgoingMessage(text: Self.text), MessageCompression())
        let agreements = [nil, 15, 15, 9, nil, 15, 9].map { $0.map(DeflateAgreement.init(windowBits:)) }
        let frames = agreements.map { message.frame(for: .frame($0), Self.settings, with: compression) }
        #expect(frames[0] == FrameEncoder.text(Self.text))
        #expect(frames[1][0] == 0xC1 && frames[1].count < Self.text.count / 2)
        #expect(Set(frames.map(address)).count == 3)
        #expect(address(frames[0]) == address(frames[4]))
        #expect(address(frames[1]) == address(frames[5]))
        #expect(address(frames[3]) == address(frames[6]))
        #expect(frames.allSatisfy { $0.count <= message.byteCount })
        #expect(frames[0].count == message.byteCount)
    }

    @Test func `a message for many that does not shrink shares its plain frame with all`() {
        let (message, compression) = (OutgoingMessage(text: Array("short".utf8)), MessageCompression())
        let plain = message.frame(for: .frame(nil), Self.settings, with: compression)
        let other = message.frame(for: .frame(DeflateAgreement(windowBits: 15)), Self.settings, with: compression)
        #expect(address(plain) == address(other))
    }

    // MARK: At rest

    @Test func `behind a gathered message can be read as far as behind one in the shard's buffer`() {
        #expect(WebSocketPayload.paddingBytes >= Shard.inputPadding)
    }

    @Test func `an idle WebSocket is small`() {
        // Fifteen thousand idle ones hold one each; with everything else about a connection 600 bytes are the limit.
        #expect(HeapSize.bytes(of: WebSocketConnection.self) <= 150)
    }
}
