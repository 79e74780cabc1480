import Testing
import WireProtocol

@testable import Transport

/// How long clients may take for bodies, by the deadlines that their connections set. These are hours, so no test waits
/// for them.
@Suite struct HTTPBodyDeadlineTests {
    private static let limits = HTTPLimits(
        headTimeout: .seconds(3_600), bodyTimeout: .seconds(10_800), idleTimeout: .seconds(7_200))
    private static let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"
    private static let wholeRequests = [["\(head)body"], [head, "body"], ["\(head)bo", "dy"]]

    private let start = ContinuousClock.now
    private let heads = Journal<Bool>()
    private let server: TestHTTPServer

    init() throws {
        server = try TestHTTPServer(limits: Self.limits) { [heads] head, on in
            defer { heads.write(true) }
            return head.path == "/unread" ? .answer(HTTPResponse(status: 204)) : TestHTTPServer.echo(head, on)
        }
    }

    /// The deadline of the only connection, as a tick.
    private func deadline() throws -> Int64 {
        try server.host.run { on in try #require(on.shard.connections(on).first).deadline }
    }

    /// Whether a deadline was set during this test and leaves so long.
    private func leaves(_ timeout: Duration, _ deadline: Int64) -> Bool {
        let shard = server.host.shard
        return (shard.tick(after: start + timeout)...shard.tick(after: .now + timeout)).contains(deadline)
    }

    /// Has the only connection receive a piece in a turn of its own, and returns the deadline that it has then.
    private func receive(_ piece: String) throws -> Int64 {
        try server.host.run { on in
            let connection = try #require(on.shard.connections(on).first)
            var bytes = Array(piece.utf8)
            bytes.withUnsafeMutableBytes { connection.handler?.received($0, on) }
            return connection.deadline
        }
    }

    /// Lets the only connection's time be up.
    private func reachDeadline() throws {
        try server.host.run { on in
            try #require(on.shard.connections(on).first?.handler).deadlineReached(on)
        }
    }

    @Test func `a body that trickles in has the time that began with its head, and is answered by 408`() throws {
        let client = try server.connect()
        try client.send(Self.head)
        _ = try heads.next()
        let first = try deadline()
        #expect(leaves(Self.limits.bodyTimeout, first))
        for byte in ["b", "o", "d"] {
            // Longer than a tick: a deadline that is set again is another one.
            try server.host.wait(for: .milliseconds(40))
            #expect(try receive(byte) == first)
        }
        try reachDeadline()
        let response = try client.readResponse()
        #expect(response.status == 408 && response.has("Connection: close"))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: wholeRequests, ["/", "/unread"])
    func `a connection has the time between requests once it is answered, not the rest of the body's`(
        pieces: [String], path: String
    ) throws {
        let client = try server.connect()
        try client.send(pieces[0].replacing("/", with: path, maxReplacements: 1))
        _ = try heads.next()
        for piece in pieces.dropFirst() { _ = try receive(piece) }
        #expect(try client.readResponse().status == (path == "/" ? 200 : 204))
        #expect(leaves(Self.limits.idleTimeout, try deadline()))
        try reachDeadline()
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a request that is answered by its head has that answer when its body's time is over`() throws {
        let client = try server.connect()
        try client.send(Self.head.replacing("/", with: "/unread", maxReplacements: 1))
        _ = try heads.next()
        #expect(leaves(Self.limits.bodyTimeout, try deadline()))
        try reachDeadline()
        #expect(try client.readResponse().status == 204)
        #expect(try client.readToEnd().isEmpty)
    }
}
