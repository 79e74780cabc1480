import CNghttp2
import Testing

@testable import Transport

/// Our client's session against our server's, joined in memory, and against frames written by hand.
@Suite struct HTTP2SessionTests {
    /// Both ends, and what has come of the client's exchanges.
    private final class Link {
        let client: HTTP2ClientSession
        let server: HTTP2ServerSession
        private(set) var requests: [(stream: Int32, request: HTTP2Request)] = []
        private(set) var cancelled: [Int32] = []
        private(set) var ended: [HTTP2Exchange] = []

        init(limits: HTTP2ServerSession.Limits = .init()) throws {
            client = try HTTP2ClientSession(responseBytes: 1 << 20)
            server = try HTTP2ServerSession(limits: limits)
            try exchange()
        }

        /// - Returns: the exchange that is now under way.
        @discardableResult
        func send(_ path: String, body: [UInt8] = []) throws -> HTTP2Exchange {
            let exchange = HTTP2SessionTests.exchange(path, body: body)
            try client.submit(exchange, authority: "localhost")
            return exchange
        }

        /// Until neither has anything to say.
        func exchange() throws {
            while true {
                var up: [UInt8] = []
                try client.takeOutput(into: &up)
                for event in try up.withUnsafeBytes({ try server.receive($0) }) {
                    switch event {
                    case .request(let stream, let request): requests.append((stream, request))
                    case .cancelled(let stream): cancelled.append(stream)
                    }
                }
                let down = try server.pendingOutput()
                try down.withUnsafeBytes { try client.receive($0) }
                var list: [HTTP2Exchange] = []
                client.takeEnded(into: &list)
                ended += list
                if up.isEmpty && down.isEmpty { return }
            }
        }
    }

    private static func exchange(_ path: String, body: [UInt8] = []) -> HTTP2Exchange {
        let request = HTTPClientRequest(
            method: "POST", url: "https://localhost" + path, body: body, timeout: .seconds(1))
        return HTTP2Exchange(request)
    }

    @Test func `a goodbye with a last stream sends back what is above, and the rest is answered`() throws {
        let link = try Link()
        let exchanges = try (0..<3).map { try link.send("/\($0)") }
        try link.exchange()
        try link.server.goAway(lastStream: link.requests[0].stream)
        try link.exchange()
        #expect(link.client.hasGoneAway)
        #expect(link.ended.map(\.path) == ["/1", "/2"])
        #expect(link.ended.allSatisfy { $0.result == nil && !$0.wasAnswered })
        // Not the client's doing.
        #expect(link.cancelled.isEmpty)
        for request in link.requests {
            try link.server.respond(to: request.stream, status: 200, headers: [], body: [1])
        }
        try link.exchange()
        #expect(try exchanges[0].result?.get().body == [1])
        #expect(link.ended.count == 3 && link.client.isFinished && link.server.isFinished)
    }

    @Test func `an announced goodbye still takes what comes`() throws {
        let link = try Link()
        try link.send("/0")
        try link.exchange()
        try link.server.announceGoAway()
        // On its way when the announcement came.
        try link.send("/1")
        try link.exchange()
        #expect(link.client.hasGoneAway && link.requests.map(\.request.path) == ["/0", "/1"])
        try link.server.goAway()
        for request in link.requests {
            try link.server.respond(to: request.stream, status: 200, headers: [], body: [])
        }
        try link.exchange()
        #expect(link.ended.count == 2 && link.ended.allSatisfy(\.wasAnswered))
        #expect(link.server.isFinished)
    }

    @Test func `requests that had not left when the goodbye came are sent back`() throws {
        var limits = HTTP2ServerSession.Limits()
        limits.concurrentStreams = 1
        let link = try Link(limits: limits)
        // The second waits in the library.
        try link.send("/0")
        try link.send("/1")
        try link.exchange()
        #expect(link.requests.count == 1)
        try link.server.goAway()
        try link.server.respond(to: link.requests[0].stream, status: 200, headers: [], body: [])
        try link.exchange()
        #expect(link.requests.count == 1)
        #expect(link.ended.map(\.path) == ["/0", "/1"])
        #expect(link.ended.map(\.wasAnswered) == [true, false] && link.ended.last?.result == nil)
        #expect(link.client.isFinished)
    }

    @Test func `a refused stream is sent back, a reset one has failed`() throws {
        let link = try Link()
        try link.send("/refused")
        try link.send("/reset")
        try link.exchange()
        try link.server.refuse(link.requests[0].stream)
        try link.server.reset(link.requests[1].stream)
        try link.exchange()
        #expect(link.ended.map(\.path) == ["/refused", "/reset"])
        #expect(link.ended[0].result == nil)
        #expect(throws: HTTPClientError.transport(code: 2, message: "stream reset")) { try link.ended[1].result?.get() }
    }

    @Test func `an exchange that was sent back starts anew`() throws {
        let link = try Link()
        let exchange = try link.send("/", body: [1, 2, 3])
        try link.exchange()
        try link.server.refuse(link.requests[0].stream)
        try link.exchange()
        try link.client.submit(exchange, authority: "localhost")
        try link.exchange()
        #expect(link.requests.map(\.request.body) == [[1, 2, 3], [1, 2, 3]])
        try link.server.respond(to: link.requests[1].stream, status: 204, headers: [], body: [])
        try link.exchange()
        #expect(try exchange.result?.get().status == 204)
    }

    @Test func `the limit is the server's, and follows it`() throws {
        #expect(try HTTP2ClientSession(responseBytes: 1).streamLimit == 100)
        var limits = HTTP2ServerSession.Limits()
        limits.concurrentStreams = 7
        let link = try Link(limits: limits)
        #expect(link.client.streamLimit == 7)
        try link.server.limitStreams(to: 0)
        try link.exchange()
        #expect(link.client.streamLimit == 0)
    }

    @Test func `PINGs are answered, unless the server is told not to`() throws {
        let link = try Link()
        try link.client.ping()
        var up: [UInt8] = []
        try link.client.takeOutput(into: &up)
        _ = try up.withUnsafeBytes { try link.server.receive($0) }
        // A frame's length, type PING, flag ACK (RFC 9113 §6.7).
        #expect(try link.server.pendingOutput().prefix(5) == [0, 0, 8, 6, 1])
        link.server.answersPings = false
        _ = try up.withUnsafeBytes { try link.server.receive($0) }
        #expect(try link.server.pendingOutput().isEmpty)
    }

    @Test func `a cancelled exchange is not heard of again`() throws {
        let link = try Link()
        let exchange = try link.send("/")
        try link.exchange()
        link.client.cancel(exchange)
        link.client.cancel(exchange)
        try link.exchange()
        #expect(link.cancelled == [link.requests[0].stream])
        #expect(link.ended.isEmpty && exchange.result == nil)
    }

    @Test(arguments: [1, 3, 1_000])
    func `interim responses and trailers are no part of the response`(chunkBytes: Int) throws {
        let client = try HTTP2ClientSession(responseBytes: 1_000)
        let exchange = Self.exchange("/")
        try client.submit(exchange, authority: "localhost")
        var output: [UInt8] = []
        try client.takeOutput(into: &output)
        let frames: [[UInt8]] = [
            [0, 0, 0, 4, 0, 0, 0, 0, 0],  // SETTINGS
            Self.headers([0x08, 3] + Array("103".utf8), flags: 0x4),
            Self.headers([0x88, 0x00, 1] + Array("a".utf8) + [1] + Array("1".utf8), flags: 0x4),  // :status 200, a: 1
            [0, 0, 2, 0, 0, 0, 0, 0, 1] + Array("ok".utf8),  // DATA
            Self.headers([0x00, 1] + Array("t".utf8) + [1] + Array("2".utf8), flags: 0x5),
        ]
        let bytes = frames.flatMap(\.self)
        for start in stride(from: 0, to: bytes.count, by: chunkBytes) {
            let chunk = bytes[start..<min(start + chunkBytes, bytes.count)]
            try chunk.withUnsafeBytes { try client.receive($0) }
        }
        var ended: [HTTP2Exchange] = []
        client.takeEnded(into: &ended)
        let response = try #require(try ended.first?.result?.get())
        #expect(response.status == 200 && response.body == Array("ok".utf8))
        #expect(response.headers.map { "\($0.0)=\($0.1)" } == ["a=1"])
    }

    @Test func `a connection whose server makes mistakes is finished, and says why`() throws {
        let client = try HTTP2ClientSession(responseBytes: 1_000)
        // DATA on stream 0, which no stream is (RFC 9113 §6.1).
        let bytes: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        try bytes.withUnsafeBytes { try client.receive($0) }
        var output: [UInt8] = []
        try client.takeOutput(into: &output)
        #expect(client.isFinished)
    }

    /// A HEADERS frame on stream 1.
    private static func headers(_ block: [UInt8], flags: UInt8) -> [UInt8] {
        [0, 0, UInt8(block.count), 1, flags, 0, 0, 0, 1] + block
    }
}
