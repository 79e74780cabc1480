import Dispatch
import Glibc
import Support
import Testing
import WireProtocol

@testable import Transport

@Suite struct HTTPConnectionTests {
    @Test(arguments: PollerKind.allCases)
    func `a connection serves one request after another`(poller: PollerKind) throws {
        let client = try TestHTTPServer(poller, decide: TestHTTPServer.echo).connect()
        for number in 1...3 {
            try client.send("POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
            let response = try client.readResponse()
            #expect(response.status == 200 && response.text == "POST /\(number) hi")
            #expect(response.has("Connection: keep-alive"))
        }
    }

    @Test(arguments: ["HTTP/1.1\r\nHost: a\r\nConnection: close", "HTTP/1.0"])
    func `a client that asks to close gets its answer and then the end`(version: String) throws {
        let server = try TestHTTPServer(decide: TestHTTPServer.echo)
        let client = try server.connect()
        try client.send("GET / \(version)\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 200 && response.has("Connection: close"))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `pipelined requests are answered in order though the first takes longest`(poller: PollerKind) throws {
        let first = Journal<HTTPReply>()
        let server = try TestHTTPServer(poller) { head, _ in
            .collect { request, reply, on in
                let answer = HTTPResponse(status: 200, body: Array(request.head.path.utf8))
                if head.path == "/1" { first.write(reply) } else { reply.send(answer, on) }
            }
        }
        let client = try server.connect()
        try client.send((1...3).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        let reply = try first.next()
        DispatchQueue.global().async { reply.send(HTTPResponse(status: 200, body: Array("late".utf8))) }
        #expect(try (1...3).map { _ in try client.readResponse().text } == ["late", "/2", "/3"])
        // A reply counts once, and only for its own request.
        reply.send(HTTPResponse(status: 500))
        try client.send("GET /4 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse().text == "/4")
    }

    @Test(arguments: PollerKind.allCases)
    func `an answer leaves before what others are sent in the same turn`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let (client, asking) = try TestSocket.pair()
        // Both go to one end, which so sees the order.
        let other = dup(asking)
        let shown = try host.run { on in
            let connection = try RecordingHandler.attach(other, Journal(), on, react: RecordingHandler.passive)
            connection.setReading(false, on)
            return connection.id
        }
        try host.run { on in
            let service = TestHTTPServer.Service { _, _, _ in
                .collect { _, reply, on in
                    on.shard.connection(shown, on)?.send(Array("shown".utf8), on)
                    reply.send(HTTPResponse(status: 204), on)
                }
            }
            HTTPConnection.open(asking, at: HTTPEndpoint(service, isLocal: true), on)
        }
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let order = try [client.read(), client.read()].map { String(decoding: $0.prefix(5), as: UTF8.self) }
        #expect(order == ["HTTP/", "shown"])
    }

    @Test(arguments: [true, false])
    func `thousands of pipelined requests are answered on one stack`(fromTheHead: Bool) throws {
        let answer = HTTPResponse(status: 204)
        let server = try TestHTTPServer { _, _ in
            fromTheHead ? .answer(answer) : .collect { _, reply, on in reply.send(answer, on) }
        }
        let client = try server.connect()
        let requests = 10_000
        DispatchQueue.global().async {
            // A client that cannot send gets fewer answers, and the test sees that.
            try? client.send(String(repeating: "GET / HTTP/1.1\r\nHost:\r\n\r\n", count: requests))
            client.finishSending()
        }
        let answers = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(answers.split(separator: "HTTP/1.1 204").count == requests)
    }

    @Test func `a client that takes no answers is not asked for more requests`() throws {
        let served = Journal<Bool>()
        let body = [UInt8](repeating: 7, count: 256 << 10)
        let server = try TestHTTPServer { _, _ in
            served.write(true)
            return .answer(HTTPResponse(status: 200, body: body))
        }
        let client = try server.connect(receiveBufferBytes: 16 << 10)
        let requests = 200
        // At once, so that one read finds them all.
        try client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: requests))
        _ = try served.next()
        for _ in 0..<10 { try server.host.run { _ in } }
        // The kernel's buffers hold some; all of them would be 50 MB.
        #expect(served.rest.count < requests / 2)
        for _ in 0..<requests { #expect(try client.readResponse().body.count == body.count) }
    }

    @Test func `HEAD tells the length and sends no body`() throws {
        let client = try TestHTTPServer(decide: TestHTTPServer.echo).connect()
        try client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\nGET /y HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse(toHEAD: true).has("Content-Length: 8"))
        #expect(try client.readResponse().text == "GET /y ")
    }

    @Test func `a problem keeps its shape and the connection goes on behind the unread body`() throws {
        let server = try TestHTTPServer { _, _ in
            .answer(Problem(status: 404, code: "not_found", detail: "no such path").response)
        }
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nunread")
            let response = try client.readResponse()
            #expect(response.status == 404 && response.has("Content-Type: application/problem+json"))
            #expect(
                response.text == #"{"type":"about:blank","title":"Not Found","status":404,"#
                    + #""code":"not_found","detail":"no such path"}"#)
        }
    }

    @Test(arguments: [
        (400, "GET /\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\n\r\n"),
        (413, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + String(repeating: "x", count: 5_000)),
        (413, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n"),
        (431, "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 9_000)),
        (431, "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 200)),
    ])
    func `a request that breaks the rules is answered by a problem and closed`(status: Int, request: String) throws {
        let limits = HTTPLimits(headBytes: 8 << 10, bodyBytes: 4_000)
        let client = try TestHTTPServer(limits: limits, decide: TestHTTPServer.echo).connect()
        try client.send(request)
        let response = try client.readResponse()
        #expect(response.status == status && response.has("Connection: close"))
        #expect(
            response.has("Content-Type: application/problem+json") && response.text.contains("\"status\":\(status)"))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `answers to earlier requests come before the refusal of a later one`() throws {
        let client = try TestHTTPServer(decide: TestHTTPServer.echo).connect()
        try client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n")
        #expect(try client.readResponse().text == "GET /1 ")
        #expect(try client.readResponse().status == 400)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a client that waits is told that its body is wanted`() throws {
        let client = try TestHTTPServer(decide: TestHTTPServer.echo).connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        #expect(try client.readText(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("body")
        #expect(try client.readResponse().text == "POST / body")
    }

    @Test func `a client that waits with too long a body is refused at once`() throws {
        let client = try TestHTTPServer(decide: TestHTTPServer.echo).connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
        #expect(try client.readResponse().status == 413)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a client that waits is not asked for a body that nobody wants`() throws {
        let server = try TestHTTPServer { _, _ in .answer(HTTPResponse(status: 403)) }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        let response = try client.readResponse()
        #expect(response.status == 403 && response.has("Connection: close"))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `a body may come in the tiniest pieces`(poller: PollerKind) throws {
        let client = try TestHTTPServer(poller, decide: TestHTTPServer.echo).connect()
        let request = "PUT /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"
        for byte in request.utf8 { try client.send([byte]) }
        #expect(try client.readResponse().text == "PUT /p abcd")
    }

    @Test func `a half-closing client gets all of a large answer`() throws {
        let body = [UInt8](repeating: 9, count: 8 << 20)
        let server = try TestHTTPServer { _, _ in .answer(HTTPResponse(status: 200, body: body)) }
        let client = try server.connect(receiveBufferBytes: 32 << 10)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finishSending()
        #expect(try client.readResponse().body == body)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a half-closed client is still answered later`() throws {
        let replies = Journal<HTTPReply>()
        let server = try TestHTTPServer { _, _ in .collect { _, reply, _ in replies.write(reply) } }
        let client = try server.connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finishSending()
        let reply = try replies.next()
        for _ in 0..<5 { try server.host.run { _ in } }
        reply.send(HTTPResponse(status: 200, body: [1]))
        let response = try client.readResponse()
        #expect(response.status == 200 && response.body == [1])
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `after a request that closes nothing else is answered`() throws {
        let client = try TestHTTPServer(decide: TestHTTPServer.echo).connect()
        try client.send("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse().text == "GET /1 ")
        #expect(try client.readToEnd().isEmpty)
    }

    // MARK: Upgrades

    private static let upgrade =
        "GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    private static func upgrading(_ journal: Journal<RecordingWebSocket.Event>) throws -> TestHTTPServer {
        try TestHTTPServer(decide: RecordingWebSocket.accepting(journal, Journal()))
    }

    @Test(arguments: ["Content-Length: 5\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"])
    func `a request for an upgrade has no body`(rest: String) throws {
        let journal = Journal<RecordingWebSocket.Event>()
        let client = try Self.upgrading(journal).connect()
        try client.send(Self.upgrade + rest)
        let response = try client.readResponse()
        #expect(response.status == 400 && response.has("Connection: close"))
        #expect(try client.readToEnd().isEmpty)
        #expect(journal.rest.isEmpty)
    }

    @Test func `a request behind an upgrade is no request any more`() throws {
        let journal = Journal<RecordingWebSocket.Event>()
        let client = try Self.upgrading(journal).connect()
        try client.send(Self.upgrade + "Content-Length: 0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readText(through: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
        // Read as frames, the letters break the rules: a close frame with code 1002.
        let answer = try client.readToEnd()
        #expect(answer.first == 0x88 && answer.dropFirst(2).prefix(2) == [3, 0xEA])
    }

    // MARK: Time

    /// Lets the shard's clock run on for a moment.
    private static func pause(_ server: TestHTTPServer, _ duration: Duration) throws {
        let over = Journal<Bool>()
        try server.host.run { on in on.shard.schedule(at: on.now + duration, on) { _ in over.write(true) } }
        _ = try over.next()
    }

    @Test(arguments: [true, false])
    func `an answer that takes longer than a pause may last is sent whole`(isLast: Bool) throws {
        // Hours, so that the test says when the time is up.
        let limits = HTTPLimits(idleTimeout: .seconds(7_200))
        let body = [UInt8](repeating: 7, count: 16 << 20)
        let server = try TestHTTPServer(limits: limits) { _, _ in .answer(HTTPResponse(status: 200, body: body)) }
        let client = try server.connect(receiveBufferBytes: 16 << 10)
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n" + (isLast ? "Connection: close\r\n\r\n" : "\r\n"))
        _ = try client.readText(through: "\r\n\r\n")
        var timesUp = 0
        for _ in 0..<128 {
            #expect(try client.read(exactly: body.count / 128).count == body.count / 128)
            timesUp += try server.host.run { on in
                // Once the kernel has all of it, the time is that between requests.
                guard let connection = on.shard.connections(on).first, connection.backlog > 0,
                    let http = connection.handler as? HTTPConnection
                else { return 0 }
                // A time that has just begun cannot be up: the client has had no chance to confirm anything.
                guard http.confirmedBytes != http.lastConfirmedBytes else { return 0 }
                http.deadlineReached(on)
                return 1
            }
        }
        #expect(timesUp > 2)
        if isLast { #expect(try client.readToEnd().isEmpty) }
    }

    @Test(arguments: [true, false])
    func `a client that takes nothing of an answer is cut off`(isLast: Bool) throws {
        let limits = HTTPLimits(headTimeout: .patience, idleTimeout: .milliseconds(50))
        let body = [UInt8](repeating: 7, count: 16 << 20)
        let server = try TestHTTPServer(limits: limits) { _, _ in .answer(HTTPResponse(status: 200, body: body)) }
        let client = try server.connect(receiveBufferBytes: 16 << 10)
        while server.host.shard.connectionCount == 0 { try server.host.run { _ in } }
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n" + (isLast ? "Connection: close\r\n\r\n" : "\r\n"))
        // The first time passes with what the kernel takes, the second with nothing.
        let end = ContinuousClock.now + .patience
        while server.host.shard.connectionCount > 0, ContinuousClock.now < end {
            try Self.pause(server, .milliseconds(20))
        }
        #expect(server.host.shard.connectionCount == 0)
        _ = client
    }

    @Test(arguments: PollerKind.allCases)
    func `a head that does not end is answered by 408`(poller: PollerKind) throws {
        var (timeout, text) = (Duration.milliseconds(50), "")
        // A client that a busy machine holds up for so long has not begun, and is closed without a word.
        while text.isEmpty, timeout < .patience {
            let limits = HTTPLimits(headTimeout: timeout)
            let client = try TestHTTPServer(poller, limits: limits, decide: TestHTTPServer.echo).connect()
            do {
                try client.send("GET / HT")
                text = String(decoding: try client.readToEnd(), as: UTF8.self)
            } catch let error as SystemCallError where [EPIPE, ECONNRESET].contains(error.errno) {}
            timeout *= 2
        }
        #expect(text.hasPrefix("HTTP/1.1 408 ") && text.contains("\r\nConnection: close\r\n"))
    }

    @Test func `a body that does not end is answered by 408`() throws {
        let limits = HTTPLimits(headTimeout: .patience, bodyTimeout: .milliseconds(50))
        let client = try TestHTTPServer(limits: limits, decide: TestHTTPServer.echo).connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf")
        #expect(try client.readResponse().status == 408)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `a connection that never asks closes without a word`(poller: PollerKind) throws {
        let limits = HTTPLimits(headTimeout: .milliseconds(50), idleTimeout: .milliseconds(50))
        let server = try TestHTTPServer(poller, limits: limits, decide: TestHTTPServer.echo)
        #expect(try server.connect().readToEnd().isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `a connection that asks no more closes without a word`(poller: PollerKind) throws {
        let limits = HTTPLimits(headTimeout: .patience, idleTimeout: .milliseconds(50))
        let client = try TestHTTPServer(poller, limits: limits, decide: TestHTTPServer.echo).connect()
        try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.readResponse().status == 200)
        #expect(try client.readToEnd().isEmpty)
    }
}
