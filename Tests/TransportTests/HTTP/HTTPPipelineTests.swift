import Synchronization
import Testing
import WireProtocol

@testable import Transport

/// Requests that come without waiting for the answers before them. Some of them may be under way together.
@Suite struct HTTPPipelineTests {
    private struct Asked: Sendable {
        let path: String
        let reply: HTTPReply

        func answer() { reply.send(HTTPResponse(status: 200, body: Array(path.utf8))) }
    }

    /// `/o…` may overlap, `/n…` may not, and `/a…` is answered from its head.
    private func server(_ asked: Journal<Asked>, _ poller: PollerKind = .epoll) throws -> TestHTTPServer {
        try TestHTTPServer(poller) { head, _ in
            let call: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void = { request, reply, _ in
                asked.write(Asked(path: request.head.path, reply: reply))
            }
            return switch head.path.dropFirst().first {
            case "o": .collectOverlapping(call)
            case "n": .collect(call)
            default: .answer(HTTPResponse(status: 200, body: Array(head.path.utf8)))
            }
        }
    }

    private static func request(_ path: String, _ fields: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: 2\r\n\r\nhi"
    }

    private func answers(_ client: TestSocket, _ count: Int) throws -> [String] {
        try (0..<count).map { _ in try client.readResponse().text }
    }

    @Test(arguments: PollerKind.allCases)
    func `requests that may overlap are all under way, and their answers keep the order`(poller: PollerKind) throws {
        let asked = Journal<Asked>()
        let client = try server(asked, poller).connect()
        try client.send((1...5).map { Self.request("/o\($0)") }.joined())
        let all = try asked.next(5)
        #expect(all.map(\.path) == (1...5).map { "/o\($0)" })
        for one in all.reversed() { one.answer() }
        #expect(try answers(client, 5) == all.map(\.path))
        try client.send(Self.request("/o6"))
        try asked.next().answer()
        #expect(try answers(client, 1) == ["/o6"])
    }

    @Test func `a request that comes later by itself is under way beside the one before`() throws {
        let asked = Journal<Asked>()
        let client = try server(asked).connect()
        try client.send(Self.request("/o1"))
        let first = try asked.next()
        try client.send(Self.request("/o2"))
        let second = try asked.next()
        second.answer()
        first.answer()
        #expect(try answers(client, 2) == ["/o1", "/o2"])
    }

    @Test func `a request that may not overlap waits for the answers before it, and holds up those behind it`() throws {
        let asked = Journal<Asked>()
        let server = try server(asked)
        let client = try server.connect()
        try client.send(["/o1", "/o2", "/n3", "/o4", "/a5", "/o6"].map { Self.request($0) }.joined())
        let first = try asked.next(2)
        for _ in 0..<3 { try server.host.run { _ in } }
        #expect(asked.rest.isEmpty)
        first[1].answer()
        try server.host.run { _ in }
        #expect(asked.rest.isEmpty)
        first[0].answer()
        let third = try asked.next()
        #expect(third.path == "/n3")
        for _ in 0..<3 { try server.host.run { _ in } }
        #expect(asked.rest.isEmpty)
        third.answer()
        let last = try asked.next(2)
        #expect(last.map(\.path) == ["/o4", "/o6"])
        last[1].answer()
        last[0].answer()
        #expect(try answers(client, 6) == ["/o1", "/o2", "/n3", "/o4", "/a5", "/o6"])
    }

    @Test func `so many requests are under way at most, and the others come as these are answered`() throws {
        let asked = Journal<Asked>()
        let server = try server(asked)
        let client = try server.connect()
        let count = HTTPConnection.maximumAnswers + 10
        try client.send((0..<count).map { Self.request("/o\($0)") }.joined())
        let first = try asked.next(HTTPConnection.maximumAnswers)
        for _ in 0..<5 { try server.host.run { _ in } }
        #expect(asked.rest.isEmpty)
        first[0].answer()
        #expect(try asked.next().path == "/o\(HTTPConnection.maximumAnswers)")
        try server.host.run { _ in }
        #expect(asked.rest.isEmpty)
        for one in first.dropFirst() { one.answer() }
        let rest = try asked.next(9)
        #expect(rest.last?.path == "/o\(count - 1)")
    }

    @Test func `behind a request that closes nothing more is looked at`() throws {
        let asked = Journal<Asked>()
        let client = try server(asked).connect()
        try client.send(Self.request("/o1") + Self.request("/o2", "Connection: close\r\n") + Self.request("/o3"))
        for one in try asked.next(2).reversed() { one.answer() }
        #expect(try client.readResponse().has("Connection: keep-alive"))
        #expect(try client.readResponse().has("Connection: close"))
        #expect(try client.readToEnd().isEmpty)
        #expect(asked.rest.isEmpty)
    }

    @Test func `a request that breaks the rules is refused behind the answers before it`() throws {
        let asked = Journal<Asked>()
        let client = try server(asked).connect()
        try client.send(Self.request("/o1") + Self.request("/o2") + "GET / HTTP/1.1\r\n\r\n")
        for one in try asked.next(2).reversed() { one.answer() }
        #expect(try answers(client, 2) == ["/o1", "/o2"])
        #expect(try client.readResponse().status == 400)
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a client that has said all gets all of its answers`() throws {
        let asked = Journal<Asked>()
        let server = try server(asked)
        let client = try server.connect()
        try client.send(["/o1", "/o2", "/n3", "/o4"].map { Self.request($0) }.joined())
        client.finishSending()
        let first = try asked.next(2)
        for _ in 0..<3 { try server.host.run { _ in } }
        for one in first.reversed() { one.answer() }
        try asked.next().answer()
        try asked.next().answer()
        #expect(try answers(client, 4) == ["/o1", "/o2", "/n3", "/o4"])
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a client that leaves within a request still gets the answers before it`() throws {
        let asked = Journal<Asked>()
        let client = try server(asked).connect()
        try client.send(
            Self.request("/o1") + Self.request("/o2") + "POST /o3 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nh")
        client.finishSending()
        for one in try asked.next(2) { one.answer() }
        #expect(try answers(client, 2) == ["/o1", "/o2"])
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a body is asked for only when no earlier answer is missing`() throws {
        let asked = Journal<Asked>()
        let client = try server(asked).connect()
        try client.send(Self.request("/o1") + Self.request("/o2"))
        let first = try asked.next(2)
        try client.send("POST /o3 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        for one in first { one.answer() }
        #expect(try answers(client, 2) == ["/o1", "/o2"])
        #expect(try client.readText(through: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
        try client.send("hi")
        try asked.next().answer()
        #expect(try answers(client, 1) == ["/o3"])
    }

    @Test func `for want of room a request waits for those before it, and alone is refused`() throws {
        let asked = Journal<Asked>()
        let isFull = Atomic(false)
        let server = try TestHTTPServer { head, _ in
            if isFull.load(ordering: .relaxed) { return .busy(HTTPResponse(status: 503)) }
            isFull.store(true, ordering: .relaxed)
            return .collectOverlapping { request, reply, _ in
                asked.write(Asked(path: request.head.path, reply: reply))
            }
        }
        let client = try server.connect()
        try client.send(Self.request("/o1") + Self.request("/o2"))
        let first = try asked.next()
        isFull.store(false, ordering: .relaxed)
        first.answer()
        try asked.next().answer()
        #expect(try answers(client, 2) == ["/o1", "/o2"])
        try client.send(Self.request("/o3"))
        #expect(try client.readResponse().status == 503)
    }

    @Test func `the shard's end comes behind the answers of what is under way`() throws {
        let asked = Journal<Asked>()
        let server = try server(asked)
        let client = try server.connect()
        try client.send(Self.request("/o1") + Self.request("/o2"))
        let first = try asked.next(2)
        server.host.shard.leave()
        for one in first { one.answer() }
        #expect(try answers(client, 2) == ["/o1", "/o2"])
        #expect(try client.readToEnd().isEmpty)
    }
}
