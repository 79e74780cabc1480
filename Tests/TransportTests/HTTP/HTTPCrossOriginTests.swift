import Testing
import WireProtocol

@testable import Transport

@Suite struct HTTPCrossOriginTests {
    private static let origin = "https://app.example.com"
    private static let permission = "Access-Control-Allow-Origin: \(origin)"
    private static let fields = "Host: a\r\nOrigin: \(origin)"

    private static func server(
        limits: HTTPLimits = HTTPLimits(), admission: Admission? = nil, decide: @escaping TestHTTPServer.Decide
    ) throws -> TestHTTPServer {
        let rules = try OriginRules([origin])
        return try TestHTTPServer(
            limits: limits, admission: admission,
            crossOrigin: CrossOrigin(rules, requestHeaders: [], responseHeaders: ["ETag"]), decide: decide)
    }

    @Test func `an answer is for the page that asked, and the next one on the connection for nobody else`() throws {
        let client = try Self.server(decide: TestHTTPServer.echo).connect()
        for _ in 1...3 {
            try client.send("GET /a HTTP/1.1\r\n\(Self.fields)\r\n\r\n")
            let shared = try client.readResponse()
            #expect(shared.text == "GET /a " && shared.has(Self.permission) && shared.has("Vary: Origin"))
            try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            let plain = try client.readResponse()
            #expect(plain.text == "GET /a " && !plain.head.contains("Access-Control") && !plain.head.contains("Vary"))
        }
    }

    @Test func `a page may read answers that come of the head alone, and such without a body`() throws {
        let client = try Self.server { head, _ in
            .answer(HTTPResponse(status: head.path == "/304" ? 304 : 200, body: [65]))
        }
        .connect()
        try client.send("GET /304 HTTP/1.1\r\n\(Self.fields)\r\n\r\n")
        let unchanged = try client.readResponse()
        #expect(unchanged.status == 304 && unchanged.has(Self.permission))
        try client.send("HEAD / HTTP/1.1\r\n\(Self.fields)\r\n\r\n")
        let headOnly = try client.readResponse(toHEAD: true)
        #expect(headOnly.status == 200 && headOnly.has(Self.permission) && headOnly.has("Content-Length: 1"))
    }

    @Test func `a page may read why its body is refused`() throws {
        let client = try Self.server(limits: HTTPLimits(bodyBytes: 4), decide: TestHTTPServer.echo).connect()
        try client.send("POST / HTTP/1.1\r\n\(Self.fields)\r\nContent-Length: 5\r\n\r\n")
        let refusal = try client.readResponse()
        #expect(refusal.status == 413 && refusal.has(Self.permission) && refusal.has("Connection: close"))
        #expect(try client.readToEnd().isEmpty)
    }

    @Test func `a page may read why its connection is not taken`() throws {
        let admission = Admission(AdmissionLimits(connections: 1, connectionsPerAddress: 0, connectionsPerSecond: 0))
        let server = try Self.server(admission: admission, decide: TestHTTPServer.echo)
        let first = try server.connect()
        try first.send("GET / HTTP/1.1\r\n\(Self.fields)\r\n\r\n")
        #expect(try first.readResponse().status == 200)
        let second = try server.connect()
        try second.send("GET / HTTP/1.1\r\n\(Self.fields)\r\n\r\n")
        let refusal = try second.readResponse()
        #expect(refusal.status == 503 && refusal.has(Self.permission))
    }

    @Test func `a request that cannot be read is refused without a word about pages`() throws {
        let client = try Self.server(decide: TestHTTPServer.echo).connect()
        try client.send("GET / HTTP/1.1\r\nOrigin: \(Self.origin)\r\n\r\n")
        let refusal = try client.readResponse()
        #expect(refusal.status == 400 && !refusal.head.contains("Access-Control"))
    }
}
