import Testing

@testable import WireProtocol

struct WebSocketClientHandshakeTests {
    /// The nonce of RFC 6455 §1.3.
    func handshake(headers: HTTPHeaders = [:], path: String = "/v1/live") -> WebSocketClientHandshake {
        WebSocketClientHandshake(
            authority: "belfry:8080", path: path, subprotocols: ["belfry.v1", "bearer.abc"], headers: headers,
            nonce: Array("the sample nonce".utf8))
    }

    func answer(
        _ response: String, behind: [UInt8] = [], inChunksOf count: Int = 1000
    ) throws(ClientHandshakeFailure) -> WebSocketClientHandshake.Acceptance? {
        var handshake = handshake()
        for chunk in (Array(response.utf8) + behind).chunks(of: count) {
            chunk.withUnsafeBytes { handshake.append($0) }
            if let acceptance = try handshake.next() { return acceptance }
        }
        return nil
    }

    static let right = """
        HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Accept: \(WebSocketHandshakeTests.accept)\r\n
        """

    @Test(arguments: [1, 3, 50, 1000])
    func `a client and a server understand each other`(_ chunkBytes: Int) throws {
        var client = handshake(headers: ["Authorization": "Bearer x"], path: "/v1/live?a=b c\r\n")
        var parser = HTTPRequestParser()
        let requests = try parser.feed(client.request, inChunksOf: chunkBytes)
        let head = try #require(requests.first?.head)
        #expect(head.headers["Host"] == "belfry:8080")
        #expect(head.headers["Authorization"] == "Bearer x")
        #expect(head.query["a"] == "b c\r\n")
        let acceptance = try WebSocketHandshake.accept(head) { $0.first }
        for chunk in acceptance.response.chunks(of: chunkBytes) { chunk.withUnsafeBytes { client.append($0) } }
        #expect(try client.next() == .init(subprotocol: "belfry.v1", remainder: []))
    }

    @Test func `bytes behind the answer are the WebSocket's`() throws {
        let acceptance = try answer(Self.right + "\r\n", behind: [0x81, 0x00])
        #expect(acceptance == .init(subprotocol: nil, remainder: [0x81, 0x00]))
    }

    @Test(arguments: [1, 2, 5])
    func `an interim response may come first, and the answer in pieces`(_ chunkBytes: Int) throws {
        let acceptance = try answer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + Self.right + "\r\n", inChunksOf: chunkBytes)
        #expect(acceptance != nil)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 101 OK\r\nConnection: Upgrade\r\n\r\n", .notUpgraded),
            ("HTTP/1.1 101 OK\r\nUpgrade: websocket\r\n\r\n", .notUpgraded),
            ("HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", .wrongAccept),
            (right + "Sec-WebSocket-Accept: \(WebSocketHandshakeTests.accept)\r\n\r\n", .wrongAccept),
            (right.replacing("s3p", with: "s3q") + "\r\n", .wrongAccept),
            (right + "Sec-WebSocket-Protocol: other\r\n\r\n", .unexpectedSubprotocol),
            (right + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n", .unexpectedExtension),
            ("HTTP/1.1 503 Busy\r\nRetry-After: 3\r\n\r\n", .refused(status: 503, headers: ["Retry-After": "3"])),
            ("HTTP/1.1 200\r\n\r\n", .refused(status: 200, headers: [:])),
        ] as [(String, ClientHandshakeFailure)])
    func `a wrong answer is no WebSocket`(_ response: String, failure: ClientHandshakeFailure) {
        #expect(throws: failure) { try answer(response) }
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 101 OK\n",
    ])
    func `bytes that are no response are malformed`(_ response: String) {
        let failure = #expect(throws: ClientHandshakeFailure.self) { try answer(response) }
        guard case .malformed? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `an endless head is refused`() {
        let failure = #expect(throws: ClientHandshakeFailure.self) {
            try answer("HTTP/1.1 101 OK\r\nA: " + String(repeating: "a", count: 20_000))
        }
        #expect(failure == .malformed(HTTPViolation(status: 431, reason: "the head is longer than 16384 bytes")))
    }
}
