import COpenSSL
import Testing
import WireProtocol

@testable import Transport

/// Clients behind proxies, over real sockets.
@Suite struct ProxyTests {
    private static let loopback: TrustedProxies = {
        do { return try TrustedProxies(["127.0.0.0/8"]) } catch { preconditionFailure("\(error)") }
    }()

    private static func request(_ path: String, for client: String? = nil) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n" + (client.map { "X-Forwarded-For: \($0)\r\n" } ?? "") + "\r\n"
    }

    /// A PROXY header, version 2, of a client at 198.51.100.`octet`.
    private static func header(_ octet: UInt8, command: UInt8 = 0x21) -> [UInt8] {
        [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, command, 0x11, 0, 12]
            + [198, 51, 100, octet, 10, 0, 0, 1, 0, 80, 0, 80]
    }

    // MARK: X-Forwarded-For

    @Test func `each request of a trusted proxy has its own client`() throws {
        let client = try TestHTTPServer(proxies: Self.loopback).connect()
        for (forwarded, address) in [("198.51.100.7", "198.51.100.7"), ("1.1.1.1, 2001:db8::7", "2001:db8::7")] {
            try client.send(Self.request("/", for: forwarded))
            #expect(try client.readResponse().text == "/ \(address)")
        }
        try client.send(Self.request("/"))
        #expect(try client.readResponse().text == "/ 127.0.0.1")
    }

    @Test func `other peers that claim another address are not believed`() throws {
        let client = try TestHTTPServer().connect()
        try client.send(Self.request("/", for: "198.51.100.7"))
        #expect(try client.readResponse().text == "/ 127.0.0.1")
    }

    @Test func `the clients of a proxy are counted each for itself`() throws {
        let admission = Admission(AdmissionLimits(connectionsPerAddress: 1))
        let server = try TestHTTPServer(admission: admission, proxies: Self.loopback)
        let clients = try (0..<4).map { _ in try server.connect() }
        for (client, forwarded) in zip(clients, ["198.51.100.7", "198.51.100.8", "198.51.100.7", nil]) {
            try client.send(Self.request("/", for: forwarded))
        }
        #expect(try clients[0].readResponse().status == 200 && clients[1].readResponse().status == 200)
        let refused = try clients[2].readResponse()
        #expect(refused.status == 503 && refused.text.contains("too_many_connections_from_address"))
        #expect(try clients[2].readToEnd().isEmpty)
        // The proxy's own health checks are nobody's.
        #expect(try clients[3].readResponse().status == 200)
        // The connection's next request is another client's: the first one's place is free.
        try clients[0].send(Self.request("/", for: "198.51.100.9"))
        #expect(try clients[0].readResponse().status == 200)
        let next = try server.connect()
        try next.send(Self.request("/", for: "198.51.100.7"))
        #expect(try next.readResponse().status == 200)
    }

    // MARK: PROXY protocol

    @Test(arguments: PollerKind.allCases, [1, 5, 16, 28, 1_000])
    func `a PROXY header in any pieces tells the client, and the request follows`(poller: PollerKind, chunk: Int) throws
    {
        let server = try TestHTTPServer(poller, proxies: Self.loopback, usesProxyProtocol: true)
        let client = try server.connect()
        let bytes = Self.header(7) + Array(Self.request("/x").utf8)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try client.send(Array(bytes[start..<min(bytes.count, start + chunk)]))
        }
        #expect(try client.readResponse().text == "/x 198.51.100.7")
        try client.send(Self.request("/y"))
        #expect(try client.readResponse().text == "/y 198.51.100.7")
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that has said all behind its header is answered`(poller: PollerKind) throws {
        let server = try TestHTTPServer(poller, proxies: Self.loopback, usesProxyProtocol: true)
        let client = try server.connect()
        try client.send(Self.header(7) + Array(Self.request("/x").utf8))
        client.finishSending()
        #expect(try client.readResponse().text == "/x 198.51.100.7")
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a proxy's own connection is its own, and may name a client`() throws {
        let server = try TestHTTPServer(proxies: Self.loopback, usesProxyProtocol: true)
        let client = try server.connect()
        try client.send(Self.header(7, command: 0x20) + Array(Self.request("/x").utf8))
        #expect(try client.readResponse().text == "/x 127.0.0.1")
        try client.send(Self.request("/x", for: "198.51.100.8"))
        #expect(try client.readResponse().text == "/x 198.51.100.8")
    }

    @Test func `a client behind the PROXY protocol cannot claim another address`() throws {
        let server = try TestHTTPServer(proxies: Self.loopback, usesProxyProtocol: true)
        let client = try server.connect()
        try client.send(Self.header(7) + Array(Self.request("/x", for: "198.51.100.8").utf8))
        #expect(try client.readResponse().text == "/x 198.51.100.7")
    }

    @Test func `clients named by the PROXY protocol are counted, and refused with words`() throws {
        let admission = Admission(AdmissionLimits(connectionsPerAddress: 1))
        let server = try TestHTTPServer(admission: admission, proxies: Self.loopback, usesProxyProtocol: true)
        let clients = try (0..<3).map { _ in try server.connect() }
        for (client, octet) in zip(clients, [7, 8, 7] as [UInt8]) {
            try client.send(Self.header(octet) + Array(Self.request("/x").utf8))
            #expect(try client.readResponse().status == (client === clients[2] ? 503 : 200))
        }
        #expect(admission.openConnections <= 3)
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes that are no header close the connection without a word`(poller: PollerKind) throws {
        let admission = Admission(AdmissionLimits(connections: 10))
        let server = try TestHTTPServer(poller, admission: admission, proxies: Self.loopback, usesProxyProtocol: true)
        for bytes in [Array(Self.request("/x").utf8), Array("PROXY TCP4 1.1.1.1 2.2.2.2 3 4\r\n".utf8), [0x16, 3, 1]] {
            let client = try server.connect()
            try client.send(bytes)
            // The server left bytes unread, so this may be a reset.
            #expect((try? client.readToEnd()) ?? [] == [])
        }
        try server.host.run { _ in }
        #expect(admission.openConnections == 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a header that does not come in time, or breaks off, closes the connection`(poller: PollerKind) throws {
        func client(_ timeout: Duration) throws -> TestSocket {
            let limits = HTTPLimits(headTimeout: timeout)
            return try TestHTTPServer(poller, limits: limits, proxies: Self.loopback, usesProxyProtocol: true).connect()
        }
        #expect(try client(.milliseconds(50)).readToEnd().isEmpty)
        // So long that a slow machine sends before it, and that it is not what ends this one.
        let partial = try client(.seconds(3_600))
        try partial.send(Array(Self.header(7).prefix(20)))
        partial.finishSending()
        #expect(try partial.readToEnd().isEmpty)
    }

    @Test func `a client that is no proxy cannot connect where proxies begin with a header`() throws {
        let server = try TestHTTPServer(proxies: try TrustedProxies(["10.0.0.0/8"]), usesProxyProtocol: true)
        let client = try server.connect()
        #expect((try? client.readToEnd()) ?? [] == [])
    }

    // MARK: TLS

    @Test(arguments: PollerKind.allCases)
    func `a PROXY header comes before TLS, which finds all of its own bytes`(poller: PollerKind) throws {
        let files = try CertificateFiles()
        let tls = try TLSServer(TLSServerSettings(certificateFile: files.certificate, keyFile: files.key))
        let server = try TestHTTPServer(poller, proxies: Self.loopback, usesProxyProtocol: true, tls: tls)
        let client = try server.connect()
        try client.send(Self.header(7))
        #expect(try Self.ask(over: client, Self.request("/x")).hasSuffix("/x 198.51.100.7"))
    }

    @Test(arguments: PollerKind.allCases)
    func `over TLS a refused client is told, too`(poller: PollerKind) throws {
        let files = try CertificateFiles()
        let tls = try TLSServer(TLSServerSettings(certificateFile: files.certificate, keyFile: files.key))
        let server = try TestHTTPServer(poller, admission: Admission(AdmissionLimits(connections: 1)), tls: tls)
        let clients = try (0..<2).map { _ in try server.connect() }
        #expect(try Self.ask(over: clients[0], Self.request("/x")).hasSuffix("/x 127.0.0.1"))
        #expect(try Self.ask(over: clients[1], Self.request("/x")).contains("too_many_connections"))
    }

    /// Begins TLS on a connected socket, sends a request and reads the answer's first record.
    private static func ask(over client: TestSocket, _ request: String) throws -> String {
        let context = try #require(SSL_CTX_new(TLS_client_method()))
        defer { SSL_CTX_free(context) }
        let session = try #require(SSL_new(context))
        defer { SSL_free(session) }
        try #require(SSL_set_fd(session, client.descriptor) == 1 && SSL_connect(session) == 1)
        let bytes = Array(request.utf8)
        try #require(SSL_write(session, bytes, Int32(bytes.count)) == Int32(bytes.count))
        var answer = [UInt8](repeating: 0, count: 16 << 10)
        let count = SSL_read(session, &answer, Int32(answer.count))
        return String(decoding: answer.prefix(Int(max(count, 0))), as: UTF8.self)
    }
}
