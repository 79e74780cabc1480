import Testing

@testable import WireProtocol

struct WebSocketHandshakeTests {
    /// RFC 6455 §1.3.
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    func head(
        method: String = "GET", minorVersion: Int = 1, without missing: String? = nil, _ more: HTTPHeaders = [:]
    ) throws -> HTTPRequestHead {
        let usual: HTTPHeaders = [
            "Host": "belfry", "Upgrade": "WebSocket", "Connection": "keep-alive, Upgrade",
            "Sec-WebSocket-Key": Self.key, "Sec-WebSocket-Version": "13",
        ]
        var headers = HTTPHeaders()
        for field in usual.fields where field.name != missing { headers.add(field.name, field.value) }
        for field in more.fields { headers.add(field.name, field.value) }
        return try HTTPRequestHead(
            method: method, target: "/v1/live", headers: headers, minorVersion: minorVersion)
    }

    @Test func `accepts the example of the RFC`() throws {
        let acceptance = try WebSocketHandshake.accept(try head()) { offered in
            #expect(offered.isEmpty)
            return nil
        }
        #expect(acceptance.subprotocol == nil)
        #expect(
            acceptance.response.text
                == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(Self.accept)\r\n\r\n")
    }

    @Test func `the caller chooses among all that was offered`() throws {
        let offers: HTTPHeaders = [
            "Sec-WebSocket-Protocol": "bearer.abc, belfry.v2", "sec-websocket-protocol": "belfry.v1",
        ]
        let acceptance = try WebSocketHandshake.accept(try head(offers)) { offered in
            #expect(offered == ["bearer.abc", "belfry.v2", "belfry.v1"])
            #expect(LiveSubprotocol.bearerToken(in: offered) == "abc")
            return LiveSubprotocol.name
        }
        #expect(acceptance.subprotocol == "belfry.v1")
        #expect(acceptance.response.text.contains("Sec-WebSocket-Protocol: belfry.v1\r\n"))
    }

    @Test(
        arguments: [
            ("Upgrade", [:], 426), ("Connection", [:], 400), ("Sec-WebSocket-Key", [:], 400),
            ("Sec-WebSocket-Version", [:], 426), ("Upgrade", ["Upgrade": "h2c"], 426),
            ("Connection", ["Connection": "close"], 400),
            ("Sec-WebSocket-Version", ["Sec-WebSocket-Version": "8"], 426),
            (nil, ["Sec-WebSocket-Version": "13"], 426), (nil, ["Sec-WebSocket-Key": key], 400),
            ("Sec-WebSocket-Key", ["Sec-WebSocket-Key": "c2hvcnQ="], 400),
            ("Sec-WebSocket-Key", ["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=a"], 400),
            ("Sec-WebSocket-Key", ["Sec-WebSocket-Key": "dGhlIHNhbXBs-SBub25jZQ=="], 400),
            (nil, ["Sec-WebSocket-Protocol": "a b"], 400),
        ] as [(String?, HTTPHeaders, Int)])
    func `refuses what is missing or wrong`(_ missing: String?, _ more: HTTPHeaders, status: Int) throws {
        let head = try head(without: missing, more)
        let failure = #expect(throws: HandshakeFailure.self) {
            try WebSocketHandshake.accept(head) { _ in nil }
        }
        #expect(failure?.response.status == status)
        if status == 426 {
            #expect(failure?.response.headers["Sec-WebSocket-Version"] == "13")
            #expect(failure?.response.headers["Upgrade"] == "websocket")
        }
    }

    @Test func `refuses other methods and HTTP 1.0`() throws {
        let post = try head(method: "POST")
        let failure = #expect(throws: HandshakeFailure.self) { try WebSocketHandshake.accept(post) { _ in nil } }
        #expect(failure?.response.status == 405)
        #expect(failure?.response.headers["Allow"] == "GET, HEAD")
        let look = try head(method: "HEAD")
        let advice = #expect(throws: HandshakeFailure.self) { try WebSocketHandshake.accept(look) { _ in nil } }
        #expect(advice?.response.status == 426)
        let old = try head(minorVersion: 0)
        let refusal = #expect(throws: HandshakeFailure.self) { try WebSocketHandshake.accept(old) { _ in nil } }
        #expect(refusal?.response.status == 400)
    }

    @Test func `a request asks for a WebSocket by its Upgrade field`() throws {
        #expect(WebSocketHandshake.isUpgrade(try head()))
        #expect(try !WebSocketHandshake.isUpgrade(head(without: "Upgrade")))
    }

    // MARK: Compression

    static let settings = DeflateSettings(thresholdBytes: 100, level: 6, windowBits: 12)

    @Test(
        arguments: [
            ("permessage-deflate", 12), ("permessage-deflate; server_max_window_bits=10", 10),
            ("x-other, permessage-deflate; client_max_window_bits", 12),
            ("permessage-deflate; unknown, permessage-deflate; server_max_window_bits=9", 9),
            ("x-other", nil), ("permessage-deflate; server_max_window_bits=8", nil),
        ] as [(String, Int?)])
    func `agrees to the first offer of compression that it can keep to`(_ offer: String, windowBits: Int?) throws {
        let head = try head(["Sec-WebSocket-Extensions": offer])
        let acceptance = try WebSocketHandshake.accept(head, deflate: Self.settings) { _ in nil }
        #expect(acceptance.deflate == windowBits.map(DeflateAgreement.init(windowBits:)))
        let field = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover"
        #expect(acceptance.response.text.contains(field) == (windowBits != nil))
        let declined = try WebSocketHandshake.accept(head) { _ in nil }
        #expect(declined.deflate == nil && !declined.response.text.contains("Sec-WebSocket-Extensions"))
    }

    @Test(arguments: ["", ";", "permessage-deflate; =1", "permessage-deflate; a=\"", "a b"])
    func `extensions that cannot be read are a bad request`(_ offer: String) throws {
        let head = try head(["Sec-WebSocket-Extensions": offer])
        let failure = #expect(throws: HandshakeFailure.self) {
            try WebSocketHandshake.accept(head, deflate: Self.settings) { _ in nil }
        }
        #expect(failure?.response.status == 400)
    }
}
