import Testing

@testable import Transport

/// Requests that lie in one piece of memory, as they are read and as they arrive.
@Suite struct HTTPRequestBatchTests {
    struct Sent: Sendable {
        var path = "/x"
        var headers: [(String, String)] = []
        var body: [UInt8] = []
    }

    private static let requests = [
        Sent(headers: [("a", "1"), ("b", "2")], body: [1]),
        Sent(path: "/y", headers: [("a", "1"), ("b", "3")], body: [1, 2]),
        // Fewer than before, none, more; other names, and one that comes twice.
        Sent(headers: [("a", "1")]), Sent(), Sent(path: "/z", headers: [("b", "1"), ("a", "1"), ("c", "")]),
        Sent(headers: [("x", "1"), ("x", "2")]), Sent(headers: [("x", "1"), ("x", "1")]),
        Sent(headers: [("x", "2"), ("b", "3"), ("x", "1")], body: [9]), Sent(headers: [("a", "1"), ("b", "2")]),
        Sent(headers: (0..<100).map { ("header-\($0)", "v") }), Sent(headers: (0..<100).map { ("header-\($0)", "v") }),
        Sent(headers: [("content-length", "0"), ("a", "\u{e9}")]),
        Sent(headers: [("content-length", "0"), ("a", "e\u{301}")]),
    ]

    /// The long value comes where the short one of the same name was, which the request has at its old place as well.
    private static let displaced = [
        Sent(headers: [("a", "1"), ("b", "3")]),
        Sent(headers: [("b", String(repeating: "x", count: 200)), ("b", "3")]),
    ]

    private func batch(_ requests: [Sent], origin: String = "https://localhost") -> HTTPRequestBatch {
        var batch = HTTPRequestBatch(method: "POST", origin: origin, timeout: .seconds(5))
        for request in requests {
            batch.path(String(request.path.prefix(1)), String(request.path.dropFirst()))
            for (name, value) in request.headers { batch.header(name, value) }
            batch.body { $0 += request.body }
        }
        return batch
    }

    @Test func `each is read as it was written, whatever came before it`() {
        let batch = batch(Self.requests)
        #expect(batch.count == Self.requests.count)
        for (index, written) in Self.requests.enumerated() {
            let read = batch.request(at: index)
            #expect(read.method == "POST" && read.url == "https://localhost" + written.path)
            #expect(
                read.headers.map { Array("\($0.0): \($0.1)".utf8) }
                    == written.headers.map { Array("\($0.0): \($0.1)".utf8) })
            #expect(read.body == written.body && read.timeout == .seconds(5))
        }
    }

    @Test func `the base's path comes before each that is written`() {
        var batch = HTTPRequestBatch(
            method: "POST", origin: "https://localhost", basePath: "/base", timeout: .seconds(5))
        for name in ["a", "b"] {
            batch.path("/x/", name)
            batch.body { _ in }
        }
        #expect((0..<2).map { batch.request(at: $0).url } == ["a", "b"].map { "https://localhost/base/x/" + $0 })
    }

    @Test func `repeated headers are kept once`() {
        let value = String(repeating: "x", count: 1_000)
        let batch = batch((0..<10).map { _ in Sent(headers: [("authorization", value)]) })
        #expect(batch.bytes.count < 1_100)
    }

    @Test(arguments: [
        // The same texts at other places, under the next number.
        [requests, requests.reversed(), requests], [displaced],
    ])
    func `over one connection each has its own path, headers and body`(batches: [[Sent]]) throws {
        let client = try HTTP2ClientSession(responseBytes: 1_000)
        let server = try HTTP2ServerSession(limits: .init())
        var told: [HTTP2Request] = []
        for (number, requests) in batches.enumerated() {
            let batch = HTTP2Batch(batch(requests), deadline: .now) { _, _ in }
            for index in requests.indices {
                try client.submit(HTTP2Exchange(batch, index, batchNumber: number), authority: "localhost")
                var up: [UInt8] = []
                try client.takeOutput(into: &up)
                for event in try up.withUnsafeBytes({ try server.receive($0) }) {
                    if case .request(let stream, let request) = event {
                        told.append(request)
                        try server.respond(to: stream, status: 200, headers: [], body: [])
                    }
                }
                try server.pendingOutput().withUnsafeBytes { try client.receive($0) }
            }
        }
        let sent = batches.flatMap(\.self)
        try #require(told.count == sent.count)
        for (told, sent) in zip(told, sent) {
            #expect(told.path == sent.path && told.authority == "localhost" && told.body == sent.body)
            var expected = sent.headers.map { Array("\($0.0): \($0.1)".utf8) }
            if !sent.headers.contains(where: { $0.0 == "content-length" }) {
                expected.append(Array("content-length: \(sent.body.count)".utf8))
            }
            #expect(told.headers.map { Array("\($0.name): \($0.value)".utf8) } == expected)
        }
    }

    @Test func `each is answered by its place, and one that is no request fails alone`() throws {
        let files = try CertificateFiles()
        let server = try HTTP2TestServer(files) { incoming, _ in try incoming.echo() }
        let client = try HTTP2ClientFixture(files).client
        let results = Journal<(Int, Result<HTTPClientResponse, HTTPClientError>)>()
        var requests = (0..<50).map { Sent(path: "/\($0)", body: [UInt8($0)]) }
        requests[7].headers = [("a", "b\r\nc: d")]
        requests[8].headers = [("a", "b\r\nc: d")]
        requests[9].path = "/a b"
        requests[10].path = "a"
        client.send(batch(requests, origin: server.url)) { results.write(($0, $1)) }
        var bodies: [Int: [UInt8]] = [:]
        var failed: Set<Int> = []
        for _ in requests {
            let (index, result) = try results.next()
            if case .success(let response) = result { bodies[index] = response.body } else { failed.insert(index) }
        }
        #expect(failed == [7, 8, 9, 10])
        #expect(bodies.allSatisfy { $0.value == [UInt8($0.key)] } && bodies.count == 46)
        let closed = Journal<Bool>()
        client.close { closed.write(true) }
        #expect(try closed.next())
        client.send(batch(requests, origin: server.url)) { results.write(($0, $1)) }
        let late = try requests.map { _ in try results.next() }
        #expect(Set(late.map(\.0)) == Set(requests.indices))
        #expect(late.allSatisfy { if case .failure(.closed) = $0.1 { true } else { false } })
    }

    @Test(arguments: ["", "https://localhost/x", "http://localhost", "localhost"])
    func `a text that is no origin fails all`(origin: String) throws {
        let client = try HTTP2Client()
        let results = Journal<Int>()
        client.send(batch([Sent(), Sent()], origin: origin)) { index, result in
            if case .failure(.transport) = result { results.write(index) }
        }
        #expect(Set([try results.next(), try results.next()]) == [0, 1])
    }

    @Test func `a stream is found by its number, however many are under way and whichever has ended`() throws {
        var streams = HTTP2Streams()
        let exchanges = (0..<1_000).map { _ in
            HTTP2Exchange(HTTP2Batch(batch([Sent()]), deadline: .now) { _, _ in }, 0)
        }
        for (index, exchange) in exchanges.enumerated() { streams.insert(exchange, Int32(2 * index + 1)) }
        for (index, exchange) in exchanges.enumerated() { #expect(streams[Int32(2 * index + 1)] === exchange) }
        for index in stride(from: 0, to: 1_000, by: 3) {
            #expect(streams.remove(Int32(2 * index + 1)) === exchanges[index])
            #expect(streams.remove(Int32(2 * index + 1)) == nil)
        }
        for (index, exchange) in exchanges.enumerated() {
            #expect(streams[Int32(2 * index + 1)] === (index % 3 == 0 ? nil : exchange))
        }
        #expect(streams[0] == nil && streams[4_001] == nil && streams[2] == nil)
    }
}
