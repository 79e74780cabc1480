import CNghttp2
import Testing

@testable import Transport

/// The server's side against nghttp2's own client, joined in memory.
struct HTTP2Tests {
    @Test(arguments: [1, 2, 7, 64, 16_384])
    func `a request comes out whole however its bytes are cut`(chunkBytes: Int) throws {
        let link = try HTTP2Link(chunkBytes: chunkBytes)
        let body = Array(#"{"aps":{"badge":3}}"#.utf8)
        let stream = link.client.request(path: "/3/device/a1b2", headers: [("apns-priority", "10")], body: body)
        try link.exchange()
        let (told, request) = try #require(link.requests.first)
        #expect(told == stream)
        #expect(request.method == "POST" && request.path == "/3/device/a1b2" && request.authority == "localhost")
        #expect(request.headers.map { "\($0.name): \($0.value)" } == ["apns-priority: 10"])
        #expect(request.body == body)

        try link.server.respond(
            to: stream, status: 410, headers: [("apns-id", "x")], body: Array(#"{"reason":"Unregistered"}"#.utf8))
        try link.exchange()
        let response = try #require(link.client.responses[stream])
        #expect(response.headers == ["apns-id": "x", ":status": "410"])
        #expect(response.body == Array(#"{"reason":"Unregistered"}"#.utf8))
        #expect(response.errorCode == 0)
        #expect(link.cancelled.isEmpty)
    }

    @Test func `an empty body is no body, both ways`() throws {
        let link = try HTTP2Link()
        let stream = link.client.request(path: "/", headers: [], body: [])
        try link.exchange()
        #expect(link.requests.first?.1.body == [])
        try link.server.respond(to: stream, status: 200, headers: [], body: [])
        try link.exchange()
        #expect(link.client.responses[stream]?.headers == [":status": "200"])
        #expect(link.client.responses[stream]?.errorCode == 0)
    }

    @Test func `requests are answered in any order`() throws {
        let link = try HTTP2Link()
        let streams = (0..<100).map { link.client.request(path: "/\($0)", headers: [], body: [UInt8($0)]) }
        try link.exchange()
        #expect(link.requests.map(\.0) == streams)
        for (stream, request) in link.requests.reversed() {
            try link.server.respond(to: stream, status: 200, headers: [], body: request.body)
        }
        try link.exchange()
        for (index, stream) in streams.enumerated() { #expect(link.client.responses[stream]?.body == [UInt8(index)]) }
    }

    @Test func `a response larger than the client's window arrives whole`() throws {
        let link = try HTTP2Link()
        let stream = link.client.request(path: "/", headers: [], body: [])
        try link.exchange()
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        try link.server.respond(to: stream, status: 200, headers: [], body: body)
        try link.exchange()
        #expect(link.client.responses[stream]?.body == body)
    }

    @Test func `a second answer and one for an unknown stream are ignored`() throws {
        let link = try HTTP2Link()
        let stream = link.client.request(path: "/", headers: [], body: [])
        try link.exchange()
        try link.server.respond(to: stream, status: 200, headers: [], body: [1])
        try link.server.respond(to: stream, status: 500, headers: [], body: [2])
        try link.server.respond(to: 99, status: 200, headers: [], body: [])
        try link.exchange()
        #expect(link.client.responses[stream]?.headers[":status"] == "200")
        #expect(link.client.responses[stream]?.body == [1])
    }

    @Test func `a reset ends one stream and leaves the others`() throws {
        let link = try HTTP2Link()
        let streams = (0..<2).map { _ in link.client.request(path: "/", headers: [], body: []) }
        try link.exchange()
        try link.server.reset(streams[0])
        try link.server.respond(to: streams[1], status: 200, headers: [], body: [])
        try link.exchange()
        #expect(link.client.responses[streams[0]]?.errorCode == NGHTTP2_INTERNAL_ERROR.rawValue)
        #expect(link.client.responses[streams[1]]?.headers[":status"] == "200")
        #expect(link.cancelled.isEmpty)
    }

    @Test func `a client that gives up is told`() throws {
        let link = try HTTP2Link()
        let stream = link.client.request(path: "/", headers: [], body: [])
        try link.exchange()
        link.client.cancel(stream)
        try link.exchange()
        #expect(link.cancelled == [stream])
        try link.server.respond(to: stream, status: 200, headers: [], body: [])
    }

    @Test func `after going away what came is answered, and then all is finished`() throws {
        let link = try HTTP2Link()
        let stream = link.client.request(path: "/", headers: [], body: [])
        try link.exchange()
        try link.server.goAway()
        try link.exchange()
        #expect(link.client.wentAway)
        #expect(!link.server.isFinished)
        try link.server.respond(to: stream, status: 200, headers: [], body: [7])
        try link.exchange()
        #expect(link.client.responses[stream]?.body == [7])
        #expect(link.server.isFinished)
    }

    @Test func `too large a body or too many headers reset the stream`() throws {
        var limits = HTTP2ServerSession.Limits()
        limits.bodyBytes = 1_000
        limits.headerBytes = 1_000
        let link = try HTTP2Link(limits: limits)
        let long = String(repeating: "x", count: 1_001)
        let large = link.client.request(path: "/", headers: [], body: Array(long.utf8))
        let wide = link.client.request(path: "/", headers: [("x", long)], body: [])
        let fine = link.client.request(path: "/", headers: [], body: Array(long.utf8.dropLast()))
        try link.exchange()
        #expect(link.requests.map(\.0) == [fine])
        #expect(link.client.responses[large]?.errorCode == NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
        #expect(link.client.responses[wide]?.errorCode == NGHTTP2_INTERNAL_ERROR.rawValue)
        #expect(link.cancelled.isEmpty)
    }

    @Test func `the client is told how many streams it may have`() throws {
        var limits = HTTP2ServerSession.Limits()
        limits.concurrentStreams = 3
        let link = try HTTP2Link(limits: limits)
        try link.exchange()
        for _ in 0..<5 { link.client.request(path: "/", headers: [], body: []) }
        try link.exchange()
        #expect(link.requests.count == 3)
    }

    @Test func `bytes that are no HTTP/2 end the connection`() throws {
        let server = try HTTP2ServerSession()
        let line = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        let failure = #expect(throws: HTTP2Failure.self) { try line.withUnsafeBytes { try server.receive($0) } }
        #expect(failure?.call == "receive")
    }

    @Test func `a mistake in the protocol leads to a goodbye`() throws {
        let link = try HTTP2Link()
        try link.exchange()
        // A DATA frame on stream 0, which no stream is (RFC 9113 §6.1).
        try link.serverReceives([0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        try link.exchange()
        #expect(link.client.wentAway)
        #expect(link.server.isFinished)
    }
}

/// A client and a server whose bytes go straight from one to the other.
private final class HTTP2Link {
    let server: HTTP2ServerSession
    let client: PlainHTTP2Client
    private(set) var requests: [(Int32, HTTP2Request)] = []
    private(set) var cancelled: [Int32] = []
    private let chunkBytes: Int

    init(limits: HTTP2ServerSession.Limits = .init(), chunkBytes: Int = 16_384) throws {
        server = try HTTP2ServerSession(limits: limits)
        client = PlainHTTP2Client()
        self.chunkBytes = chunkBytes
    }

    /// Until neither has anything to say.
    func exchange() throws {
        while true {
            let up = client.output()
            for start in stride(from: 0, to: up.count, by: chunkBytes) {
                try serverReceives(up[start..<min(start + chunkBytes, up.count)])
            }
            let down = try server.pendingOutput()
            client.receive(down)
            if up.isEmpty && down.isEmpty { return }
        }
    }

    func serverReceives(_ bytes: ArraySlice<UInt8>) throws {
        for event in try bytes.withUnsafeBytes({ try server.receive($0) }) {
            switch event {
            case .request(let stream, let request): requests.append((stream, request))
            case .cancelled(let stream): cancelled.append(stream)
            }
        }
    }
}

/// A plain client on nghttp2's C interface.
private final class PlainHTTP2Client {
    struct Response {
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        /// Nil while the stream is open.
        var errorCode: UInt32?
    }

    private(set) var responses: [Int32: Response] = [:]
    private(set) var wentAway = false
    private var bodies: [Int32: [UInt8]] = [:]
    private var session: OpaquePointer?

    init() {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameBytes, value, valueBytes, _, this in
            let name = String(decoding: UnsafeBufferPointer(start: name, count: nameBytes), as: UTF8.self)
            let value = String(decoding: UnsafeBufferPointer(start: value, count: valueBytes), as: UTF8.self)
            PlainHTTP2Client.from(this).responses[frame?.pointee.hd.stream_id ?? 0, default: Response()].headers[name] =
                value
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, this in
            let bytes = UnsafeBufferPointer(start: bytes, count: count)
            PlainHTTP2Client.from(this).responses[stream, default: Response()].body.append(contentsOf: bytes)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, this in
            PlainHTTP2Client.from(this).responses[stream, default: Response()].errorCode = code
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, this in
            if frame?.pointee.hd.type == UInt8(NGHTTP2_GOAWAY.rawValue) { PlainHTTP2Client.from(this).wentAway = true }
            return 0
        }
        nghttp2_session_client_new(&session, callbacks, Unmanaged.passUnretained(self).toOpaque())
        nghttp2_submit_settings(session, 0, nil, 0)
    }

    deinit { nghttp2_session_del(session) }

    private static func from(_ context: UnsafeMutableRawPointer?) -> PlainHTTP2Client {
        guard let context else { preconditionFailure("every callback gets the client") }
        return Unmanaged<PlainHTTP2Client>.fromOpaque(context).takeUnretainedValue()
    }

    @discardableResult
    func request(path: String, headers: [(String, String)], body: [UInt8]) -> Int32 {
        let all = [(":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", path)] + headers
        var provider = nghttp2_data_provider()
        provider.read_callback = { _, stream, buffer, count, flags, _, this in
            let client = PlainHTTP2Client.from(this)
            let part = client.bodies[stream, default: []].prefix(count)
            UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: part)
            client.bodies[stream]?.removeFirst(part.count)
            if client.bodies[stream]?.isEmpty ?? true { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return part.count
        }
        var stream: Int32 = 0
        var list = HTTP2Fields()
        for (name, value) in all { list.append(name, value) }
        list.withFields { fields in
            stream =
                body.isEmpty
                ? nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, nil, nil)
                : nghttp2_submit_request(session, nil, fields.baseAddress, fields.count, &provider, nil)
        }
        bodies[stream] = body
        return stream
    }

    func cancel(_ stream: Int32) {
        nghttp2_submit_rst_stream(session, 0, stream, NGHTTP2_CANCEL.rawValue)
    }

    func receive(_ bytes: [UInt8]) {
        if !bytes.isEmpty { nghttp2_session_mem_recv(session, bytes, bytes.count) }
    }

    func output() -> [UInt8] {
        var output: [UInt8] = []
        var start: UnsafePointer<UInt8>?
        while case let count = nghttp2_session_mem_send(session, &start), count > 0 {
            output.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
        return output
    }
}
