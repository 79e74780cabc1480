import Testing
import WireProtocol

@testable import Transport

/// Bodies over real sockets, with room for a hundred thousand bytes of them.
@Suite struct BodyRoomTests {
    private let room = BodyRoom(maximumBytes: 100_000)
    private let answers = BodyRoom(maximumBytes: 20_000_000)
    private let server: TestHTTPServer

    init() throws {
        server = try TestHTTPServer(bodies: room, answers: answers) { head, on in
            if head.path == "/large" {
                return .answer(HTTPResponse(status: 200, body: [UInt8](repeating: 0x78, count: 9_000_000)))
            }
            if head.path == "/talk" { return .stream(Talker()) }
            return .collect { request, reply, on in
                reply.send(HTTPResponse(status: 200, body: Array("\(request.body.count)".utf8)), on)
            }
        }
    }

    /// Answers each piece of a body by nine million bytes.
    private final class Talker: HTTPStreamHandler {
        private var stream: HTTPStream?

        func opened(_ stream: HTTPStream, _ on: borrowing OnShard) {
            self.stream = stream
            stream.start(200, ["Content-Type": "text/plain"], on)
        }

        func received(_ bytes: [UInt8], _ on: borrowing OnShard) {
            stream?.write([UInt8](repeating: 0x78, count: 9_000_000), on)
        }

        func bodyEnded(_ on: borrowing OnShard) {}
        func drained(_ on: borrowing OnShard) {}
        func cancelled(_ on: borrowing OnShard) {}
    }

    private func piece(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }

    private func awaitBytes(_ bytes: Int) throws {
        while room.bytes != bytes { try server.host.run { _ in } }
    }

    private static let heads = [
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 80000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n13880\r\n",
    ]

    @Test(arguments: heads) func `that were announced and have not come take no room`(head: String) throws {
        var clients: [TestSocket] = []
        for _ in 0..<50 {
            let client = try server.connect()
            try client.send(head)
            clients.append(client)
        }
        #expect(room.bytes == 0)
        let honest = try server.connect()
        try honest.send(Self.heads[0] + piece(80_000))
        #expect(try honest.readResponse().text == "80000")
    }

    @Test(arguments: heads) func `that stand still give way to one that comes, and are answered by 503`(
        head: String
    ) throws {
        let standing = try server.connect()
        try standing.send(head + piece(60_000))
        try awaitBytes(60_000)
        let honest = try server.connect()
        try honest.send(Self.heads[0] + piece(80_000))
        #expect(try honest.readResponse().text == "80000")
        let refused = try standing.readResponse()
        #expect(refused.status == 503 && refused.text.contains(#""code":"overloaded""#))
        #expect(refused.has("Retry-After: 1") && refused.has("Connection: close"))
        #expect(try standing.readToEnd().isEmpty)
        try awaitBytes(0)
    }

    @Test func `that are cut off give their room back`() throws {
        do {
            let client = try server.connect()
            try client.send(Self.heads[0] + piece(60_000))
            try awaitBytes(60_000)
        }
        try awaitBytes(0)
    }

    @Test func `that are larger than the room are refused when they have filled it`() throws {
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n" + piece(120_000))
        #expect(try client.readResponse().status == 503)
        try awaitBytes(0)
    }

    @Test func `come one after the other on a connection, each with the room for itself`() throws {
        let client = try server.connect()
        for _ in 0..<3 {
            try client.send(Self.heads[0] + piece(80_000))
            #expect(try client.readResponse().text == "80000")
        }
        try awaitBytes(0)
    }

    @Test func `of answers that nobody takes are bounded, too: the one that was left alone for longest is cut off`()
        throws
    {
        var clients: [TestSocket] = []
        for _ in 0..<4 {
            let client = try server.connect(receiveBufferBytes: 4_096)
            try client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            clients.append(client)
            // Counted, or cut off: at most two of them fit.
            let counted = answers.bytes
            while answers.bytes == counted, counted < 9_000_000 { try server.host.run { _ in } }
        }
        while try server.host.run({ $0.shard.connections($0).count }) > 2 {}
        #expect(answers.bytes <= 20_000_000)
        // The last one gets more of its answer.
        #expect(try clients[3].read(exactly: 200_000).count == 200_000)
    }

    @Test func `of answers that nobody takes count those, too, that come when some wait already`() throws {
        let client = try server.connect(receiveBufferBytes: 4_096)
        try client.send("POST /talk HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
        while answers.bytes == 0 { try server.host.run { _ in } }
        let first = answers.bytes
        try client.send("1\r\nb\r\n")
        while answers.bytes < first + 8_000_000 { try server.host.run { _ in } }
        // There is no room for a third.
        try client.send("1\r\nc\r\n")
        while answers.bytes > 0 { try server.host.run { _ in } }
    }
}
