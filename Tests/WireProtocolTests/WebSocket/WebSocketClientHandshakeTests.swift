import Testing

@testable import WireProtocol

struct WebSocketClientHandshakeTests {
    /// The nonce of RFC 6455 §1.3.
    func handshake(
        headers: HTTPHeaders = [:], path: String = "/v1/live", deflate: DeflateSettings? = nil
    ) -> WebSocketClientHandshake {
        WebSocketClientHandshake(
            authority: "belfry:8080", path: path, subprotocols: ["belfry.v1", "bearer.abc"], headers: headers,
            deflate: deflate, nonce: Array("the sample nonce".utf8))
    }

    func answer(
        _ response: String, behind: [UInt8] = [], inChunksOf count: Int = 1000, deflate: DeflateSettings? = nil
    ) throws(ClientHandshakeFailure) -> WebSocketClientHandshake.Acceptance? {
        var handshake = handshake(deflate: deflate)
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
        #expect(try client.next() == .init(subprotocol: "belfry.v1", deflate: nil, remainder: []))
    }

    @Test func `bytes behind the answer are the WebSocket's`() throws {
        let acceptance = try answer(Self.right + "\r\n", behind: [0x81, 0x00])
        #expect(acceptance == .init(subprotocol: nil, deflate: nil, remainder: [0x81, 0x00]))
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

    @Test(arguments: [1, 7, 1000])
    func `a refusal comes with its body, however it is cut`(_ chunkBytes: Int) {
        let body = #"{"code": "token_expired"}"#
        let headers: HTTPHeaders = ["Content-Length": "\(body.utf8.count)"]
        let response = "HTTP/1.1 401 Unauthorized\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
        #expect(throws: ClientHandshakeFailure.refused(status: 401, headers: headers, body: Array(body.utf8))) {
            try answer(response, inChunksOf: chunkBytes)
        }
    }

    @Test(arguments: [1, 1_000], ["", "Content-Length: 2\r\n"])
    func `bytes behind a refusal are not its body, however it is cut`(_ chunkBytes: Int, _ field: String) {
        let failure = #expect(throws: ClientHandshakeFailure.self) {
            try answer("HTTP/1.1 503 No\r\n" + field + "\r\nnoise", inChunksOf: chunkBytes)
        }
        guard case .refused(503, _, let body)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(body == Array((field.isEmpty ? "" : "no").utf8))
    }

    @Test func `a refusal that breaks off has the bytes that have come`() throws {
        var handshake = handshake()
        #expect(handshake.refusal == nil)
        for byte in "HTTP/1.1 401 No\r\nContent-Length: 9\r\n\r\n{\"c".utf8 {
            withUnsafeBytes(of: byte) { handshake.append($0) }
            #expect(try handshake.next() == nil)
        }
        let headers: HTTPHeaders = ["Content-Length": "9"]
        #expect(handshake.refusal == .refused(status: 401, headers: headers, body: Array("{\"c".utf8)))
    }

    @Test(arguments: ["-1", "99999999999999999999", "x", "1000000000"])
    func `a refusal of whatever length is not waited for without end`(_ length: String) {
        let body = String(repeating: "a", count: 20_000)
        let failure = #expect(throws: ClientHandshakeFailure.self) {
            try answer("HTTP/1.1 401 No\r\nContent-Length: \(length)\r\n\r\n" + body)
        }
        guard case .refused(401, _, let kept)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(kept.count <= 16 << 10)
    }

    @Test func `a refusal is told in words, without the header fields`() {
        let failure = ClientHandshakeFailure.refused(status: 401, headers: ["WWW-Authenticate": "Bearer"])
        #expect(failure.description == "the server answered 401 Unauthorized")
    }

    @Test func `an endless head is refused`() {
        let failure = #expect(throws: ClientHandshakeFailure.self) {
            try answer("HTTP/1.1 101 OK\r\nA: " + String(repeating: "a", count: 20_000))
        }
        #expect(failure == .malformed(HTTPViolation(status: 431, reason: "the head is longer than 16384 bytes")))
    }

    // MARK: Compression

    static let settings = DeflateSettings(thresholdBytes: 100, level: 6, windowBits: 14)

    @Test(arguments: [nil, 9, 14])
    func `a client offers compression, and keeps to what the server has chosen`(_ serverBits: Int?) throws {
        var client = handshake(deflate: Self.settings)
        var parser = HTTPRequestParser()
        let head = try #require(try parser.feed(client.request).first?.head)
        #expect(head.headers["Sec-WebSocket-Extensions"] == DeflateNegotiation.offer)
        let server = serverBits.map { DeflateSettings(thresholdBytes: 0, level: 1, windowBits: $0) }
        let acceptance = try WebSocketHandshake.accept(head, deflate: server) { _ in nil }
        acceptance.response.withUnsafeBytes { client.append($0) }
        let deflate = try client.next()?.deflate
        // The server's window binds the server only.
        #expect(deflate == serverBits.map { _ in DeflateAgreement(windowBits: 14) })
    }

    @Test(
        arguments: [
            ("permessage-deflate", .contextTakeover), ("x-other", .notOffered), ("", .list(.malformed)),
            ("permessage-deflate; server_no_context_takeover; sideways", .invalidParameters),
        ] as [(String, DeflateResponseViolation)])
    func `an answer to the offer that cannot be kept to is no WebSocket`(
        _ extensions: String, violation: DeflateResponseViolation
    ) {
        #expect(throws: ClientHandshakeFailure.badCompression(violation)) {
            try answer(
                Self.right + "Sec-WebSocket-Extensions: \(extensions)\r\n\r\n", deflate: Self.settings)
        }
    }
}
