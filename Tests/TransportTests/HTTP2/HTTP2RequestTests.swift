import Testing

@testable import Transport

/// The bytes of a request and the kept parts of its answer, one request after the other over one connection.
@Suite struct HTTP2RequestTests {
    private func request(
        _ headers: [(String, String)], method: String = "POST", body: [UInt8] = [], wantsHeadersOfSuccess: Bool = true
    ) -> HTTPClientRequest {
        HTTPClientRequest(
            method: method, url: "https://localhost/x", headers: headers, body: body, timeout: .seconds(1),
            wantsHeadersOfSuccess: wantsHeadersOfSuccess)
    }

    /// A check whose answers can be expected in place.
    private final class Check {
        private var check = HTTP2RequestCheck()

        func admits(_ request: HTTPClientRequest) -> Bool {
            check.admits(request.method) && check.admits(HTTPRequestBatch(request), 0)
        }
    }

    @Test func `a header that passed once does not let another pass`() {
        let check = Check()
        let good = request([("apns-topic", "a"), ("apns-priority", "5")])
        for _ in 0..<2 { #expect(check.admits(good)) }
        let bad = [
            request([("apns-topic", "a\r\nx: y"), ("apns-priority", "5")]),
            request([("apns-topic", "a"), ("apns priority", "5")]),
            request([("host", "a"), ("apns-priority", "5")]),
            request([("apns-topic", "a"), ("apns-priority", "5"), ("te", "x")]),
            request([("apns-topic", "a")], method: "PO ST"),
            request([("apns-topic", "a")], method: ""),
            // For a text equal to "K-id", and other bytes.
            request([("\u{212A}-id", "a")]),
        ]
        for bad in bad {
            #expect(check.admits(request([("K-id", "a")])))
            #expect(!check.admits(bad))
            #expect(check.admits(good))
        }
    }

    @Test(arguments: ["", " ", "PO ST"]) func `a text that is no method is refused, also at first`(method: String) {
        #expect(!Check().admits(request([], method: method)))
    }

    @Test func `more headers than are remembered are judged each time`() {
        let check = Check()
        let many = (0..<100).map { ("header-\($0)", "value") }
        for _ in 0..<2 {
            #expect(check.admits(request(many)))
            #expect(!check.admits(request(many + [("x", "\n")])))
        }
    }

    /// Both ends, joined in memory.
    private final class Link {
        let client: HTTP2ClientSession
        let server: HTTP2ServerSession
        private(set) var requests: [(stream: Int32, request: HTTP2Request)] = []

        init() throws {
            client = try HTTP2ClientSession(responseBytes: 1 << 20)
            server = try HTTP2ServerSession(limits: .init())
        }

        /// Until neither has anything to say.
        func exchange() throws {
            while true {
                var up: [UInt8] = []
                try client.takeOutput(into: &up)
                for event in try up.withUnsafeBytes({ try server.receive($0) }) {
                    if case .request(let stream, let request) = event { requests.append((stream, request)) }
                }
                let down = try server.pendingOutput()
                try down.withUnsafeBytes { try client.receive($0) }
                if up.isEmpty && down.isEmpty { return }
            }
        }

        func submit(_ request: HTTPClientRequest) throws -> HTTP2Exchange {
            let exchange = HTTP2Exchange(request)
            try client.submit(exchange, authority: "localhost")
            return exchange
        }

        func send(_ request: HTTPClientRequest) throws -> HTTP2Exchange {
            let exchange = try submit(request)
            try self.exchange()
            return exchange
        }
    }

    @Test func `each request has its own headers, whatever those before it had`() throws {
        let link = try Link()
        let sets: [[(String, String)]] = [
            [("apns-topic", "a"), ("apns-collapse-id", "n1")], [("apns-topic", "a"), ("apns-collapse-id", "n2")],
            [("Apns-Collapse-ID", "n2"), ("apns-topic", "b")], [], [("content-length", "3"), ("apns-topic", "b")],
            [("apns-topic", "\u{e9}"), ("apns-collapse-id", "")], [("apns-topic", "e\u{301}")],
            [("content-length", "3"), ("apns-topic", "b")],
            // More than are remembered, and longer than those before.
            (0..<100).map { ("header-\($0)", String(repeating: "v", count: $0)) },
            [("x", "1"), ("x", "2"), ("X", "1")], [("x", "2"), ("apns-topic", "b"), ("x", "1")],
            (0..<100).reversed().map { ("header-\($0)", "w") },
        ]
        for headers in sets {
            _ = try link.send(request(headers, body: [1, 2, 3]))
            let told = try #require(link.requests.last).request
            var expected = headers.map { "\($0.0.lowercased()): \($0.1)" }.map { Array($0.utf8) }
            let length = Array("content-length: 3".utf8)
            if !expected.contains(length) { expected.append(length) }
            #expect(told.headers.map { Array("\($0.name): \($0.value)".utf8) } == expected)
            #expect(told.body == [1, 2, 3])
        }
    }

    @Test func `requests that leave together keep their names and values, however many there are`() throws {
        let link = try Link()
        let sets = ["a", "b", "c"].map { prefix in (0..<100).map { ("\(prefix)-\($0)", "\(prefix)\($0)") } }
        for headers in sets { _ = try link.submit(request(headers, method: "GET")) }
        try link.exchange()
        let told = link.requests.map { $0.request.headers.map { "\($0.name): \($0.value)" } }
        #expect(told == sets.map { $0.map { "\($0.0): \($0.1)" } })
    }

    @Test(arguments: [
        (200, true, true), (200, false, false), (201, false, false), (429, false, true), (503, true, true),
    ])
    func `headers are kept of what failed, and of what succeeded where they are wanted`(
        status: Int, areWanted: Bool, areKept: Bool
    ) throws {
        let link = try Link()
        let exchange = try link.send(request([], wantsHeadersOfSuccess: areWanted))
        let stream = try #require(link.requests.last).stream
        try link.server.respond(to: stream, status: status, headers: [("retry-after", "7")], body: [1])
        try link.exchange()
        let response = try #require(try exchange.result?.get())
        #expect((response.status, response.body) == (status, [1]))
        #expect(response.header("retry-after") == (areKept ? "7" : nil))
    }
}
