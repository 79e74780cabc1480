import Testing
import WireProtocol

@testable import Transport

/// Over real sockets.
@Suite struct AdmissionTests {
    private static let request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

    private func expectRefusal(_ client: TestSocket, _ reason: AdmissionRefusal) throws {
        try expectRefusal(client, client.readResponse(), reason)
    }

    private func expectRefusal(_ client: TestSocket, _ response: TestResponse, _ reason: AdmissionRefusal) throws {
        #expect(response.status == 503 && response.has("Connection: close"))
        #expect(response.text.contains("\"code\":\"\(reason.code)\""))
        let seconds = response.head.split(separator: "\r\n").first { $0.hasPrefix("Retry-After: ") }
            .flatMap { Int($0.dropFirst(13)) }
        #expect(reason == .connectingTooFast ? seconds == 1 : (5...30).contains(try #require(seconds)))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `beyond the limit the first request is answered by 503 until somebody leaves`(poller: PollerKind) throws {
        let admission = Admission(AdmissionLimits(connections: 1))
        let server = try TestHTTPServer(poller, admission: admission)
        let start = ContinuousClock.now
        var first: TestSocket? = try server.connect()
        try first?.send(Self.request)
        #expect(try first?.readResponse().status == 200)
        let second = try server.connect()
        try second.send(Self.request)
        try expectRefusal(second, .tooManyConnections)
        #expect(admission.refusedConnections(.tooManyConnections) == 1 && admission.openConnections == 1)
        first?.finishSending()
        #expect(try first?.readToEnd().isEmpty == true)
        first = nil
        // The shard has seen its end before it takes the next one.
        let third = try server.connect()
        try third.send(Self.request)
        #expect(try third.readResponse().status == 200)
        // On a busy machine the two may have come in different seconds.
        let rate = admission.acceptRate()
        #expect(rate == 2 || rate == 1 && ContinuousClock.now - start > .milliseconds(900))
    }

    @Test func `one address is refused alone`() throws {
        let admission = Admission(AdmissionLimits(connectionsPerAddress: 1))
        let server = try TestHTTPServer(admission: admission)
        let clients = try [server.connect(), server.connect()]
        for client in clients { try client.send(Self.request) }
        #expect(try clients[0].readResponse().text == "/x 127.0.0.1")
        try expectRefusal(clients[1], .tooManyConnectionsFromAddress)
    }

    @Test func `a refused WebSocket is told before it is upgraded`() throws {
        for _ in 0..<100 {
            let start = ContinuousClock.now
            let server = try TestHTTPServer(admission: Admission(AdmissionLimits(connectionsPerSecond: 1)))
            let first = try server.connect()
            let second = try server.connect()
            try second.send(
                "GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            let response = try second.readResponse()
            // A busy machine may have accepted the second one in another second, where it is welcome.
            if response.status == 200, ContinuousClock.now - start > .milliseconds(900) { continue }
            try expectRefusal(second, response, .connectingTooFast)
            return withExtendedLifetime(first) {}
        }
        Issue.record("two connections never came within a second")
    }

    @Test func `a refused client that says nothing is told all the same`() throws {
        let server = try TestHTTPServer(admission: Admission(AdmissionLimits(connections: 1)))
        let clients = try [server.connect(), server.connect()]
        try expectRefusal(clients[1], .tooManyConnections)
    }

    @Test func `a herd of refused clients is told at once and holds no sockets`() throws {
        let admission = Admission(AdmissionLimits(connections: 1))
        let server = try TestHTTPServer(admission: admission)
        let first = try server.connect()
        let herd = try (0..<200).map { _ in try server.connect() }
        // Those beyond the few that may wait are closed although they have not asked.
        for client in herd.suffix(100) { try expectRefusal(client, .tooManyConnections) }
        #expect(admission.refusedConnections(.tooManyConnections) == 200)
        #expect(server.host.shard.connectionCount <= 65)
        _ = first
    }

    @Test func `places are given back however connections end`() throws {
        let admission = Admission(AdmissionLimits(connections: 4, connectionsPerAddress: 4))
        let server = try TestHTTPServer(admission: admission)
        for round in 0..<40 {
            let client = try server.connect()
            switch round % 4 {
            case 0: client.resetAtEnd()
            case 1: try client.send("nonsense\r\n\r\n")
            case 2: try client.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            case _: client.finishSending()
            }
            if round % 4 != 0 { _ = try client.readToEnd() }
        }
        for _ in 0..<50 where admission.openConnections > 0 { try server.host.run { _ in } }
        try server.host.stop()
        #expect(admission.openConnections == 0)
        #expect(AdmissionRefusal.allCases.allSatisfy { admission.refusedConnections($0) == 0 })
    }
}
