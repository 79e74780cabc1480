import Testing

@testable import WireProtocol

struct HTTPRequestParserTests {
    static let pipeline = """
        POST /v1/events?dryRun=true HTTP/1.1\r\nHost: belfry\r\nContent-Length: 5\r\n\r\nhello\
        \r\nGET /a%20b HTTP/1.1\r\nhost:belfry\r\n\r\n\
        POST /c HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: Chunked\r\n\r\n\
        5;name="value"\r\nhello\r\n006 ; x\r\n world\r\n0\r\nTrailer: ignored\r\n\r\n\
        GET / HTTP/1.0\r\n\r\n
        """

    @Test(arguments: Array(1...40) + [1000])
    func `pipelined requests come out the same however the bytes are cut`(_ chunkBytes: Int) throws {
        var parser = HTTPRequestParser()
        let requests = try parser.feed(Self.pipeline, inChunksOf: chunkBytes)
        #expect(requests.map(\.head.method) == ["POST", "GET", "POST", "GET"])
        #expect(requests.map(\.head.path) == ["/v1/events", "/a b", "/c", "/"])
        #expect(requests.map(\.bodyText) == ["hello", "", "hello world", ""])
        #expect(requests.map(\.head.minorVersion) == [1, 1, 1, 0])
        #expect(requests.map(\.head.isKeepAlive) == [true, true, true, false])
        #expect(requests.map(\.hasEnded) == [true, true, true, true])
        #expect(requests[0].head.query["dryRun"] == "true")
        #expect(parser.isBetweenRequests)
    }

    @Test func `a parser knows whether anything of a request has come`() throws {
        var parser = HTTPRequestParser()
        #expect(parser.isBetweenRequests)
        _ = try parser.feed("\r\n")
        #expect(parser.isBetweenRequests)
        _ = try parser.feed("G")
        #expect(!parser.isBetweenRequests)
        _ = try parser.feed("ET / HTTP/1.1\r\n")
        #expect(!parser.isBetweenRequests)
        _ = try parser.feed("Host: a\r\n\r\n")
        #expect(parser.isBetweenRequests)
    }

    @Test func `body bytes are handed on before the body is whole`() throws {
        var parser = HTTPRequestParser()
        let requests = try parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\npart")
        #expect(requests.map(\.bodyText) == ["part"])
        #expect(requests.map(\.hasEnded) == [false])
    }

    @Test func `bytes behind an upgrade request belong to the next protocol`() throws {
        var parser = HTTPRequestParser()
        let bytes = Array("GET /v1/live HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n".utf8) + [0x81, 0x80, 1, 2]
        bytes.withUnsafeBytes { parser.append($0) }
        guard case .head? = try parser.next(), case .end? = try parser.next() else {
            Issue.record("no whole request")
            return
        }
        #expect(!parser.isBetweenRequests)
        #expect(parser.takeRemainder() == [0x81, 0x80, 1, 2])
        #expect(parser.isBetweenRequests)
        #expect(parser.takeRemainder().isEmpty)
    }

    // MARK: Limits

    @Test(arguments: [1, 7, 1000])
    func `a body over the limit is refused from its announced length`(_ chunkBytes: Int) {
        var parser = HTTPRequestParser(maximumBodyBytes: 4)
        let violation = #expect(throws: HTTPViolation.self) {
            try parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", inChunksOf: chunkBytes)
        }
        #expect(violation?.status == 413)
    }

    @Test func `a body at the limit is taken`() throws {
        var parser = HTTPRequestParser(maximumBodyBytes: 5)
        let fixed = try parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345")
        #expect(fixed.map(\.bodyText) == ["12345"])
        let chunked = try parser.feed(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n12\r\n3\r\n345\r\n0\r\n\r\n")
        #expect(chunked.map(\.bodyText) == ["12345"])
    }

    @Test func `chunks over the limit are refused from the size of the one that is too much`() {
        var parser = HTTPRequestParser(maximumBodyBytes: 5)
        let violation = #expect(throws: HTTPViolation.self) {
            try parser.feed("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n12\r\n4\r\n")
        }
        #expect(violation?.status == 413)
    }

    @Test(arguments: ["Content-Length: 10", "Transfer-Encoding: chunked"])
    func `the limit can be raised between head and body`(_ framing: String) throws {
        var parser = HTTPRequestParser(maximumBodyBytes: 4)
        Array("POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n".utf8).withUnsafeBytes { parser.append($0) }
        guard case .head? = try parser.next() else {
            Issue.record("no head")
            return
        }
        parser.maximumBodyBytes = .max
        if let event = try parser.next() { Issue.record("\(event) came of nothing") }
    }

    @Test(arguments: [1, 13, 5000])
    func `a head at its limit is taken and one byte more is refused`(_ chunkBytes: Int) throws {
        let frame = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n"
        let filler = String(repeating: "x", count: 200 - frame.utf8.count)
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: \(filler)\r\n\r\n"
        var roomy = HTTPRequestParser(maximumHeadBytes: 200)
        #expect(try roomy.feed(head + head, inChunksOf: chunkBytes).count == 2)
        var tight = HTTPRequestParser(maximumHeadBytes: 199)
        let violation = #expect(throws: HTTPViolation.self) { try tight.feed(head, inChunksOf: chunkBytes) }
        #expect(violation?.status == 431)
    }

    @Test(arguments: [1, 13, 5000])
    func `an endless request line is refused as such`(_ chunkBytes: Int) {
        var parser = HTTPRequestParser(maximumHeadBytes: 300)
        let violation = #expect(throws: HTTPViolation.self) {
            try parser.feed("GET /" + String(repeating: "a", count: 300), inChunksOf: chunkBytes)
        }
        #expect(violation?.status == 414)
    }

    @Test func `too many fields, extensions or trailers are refused`() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let rows: [(String, Int)] = [
            ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: b\r\n", count: 100), 431),
            (head + "1;" + String(repeating: "x", count: 300), 400),
            (head + String(repeating: "1;" + String(repeating: "x", count: 200) + "\r\na\r\n", count: 30), 400),
            (head + "0\r\n" + String(repeating: "A: b\r\n", count: 1000), 431),
            (head + "0\r\n" + String(repeating: "A", count: 5000), 431),
        ]
        for (bytes, status) in rows {
            for chunkBytes in [1, 100_000] {
                var parser = HTTPRequestParser()
                let violation = #expect(throws: HTTPViolation.self) { try parser.feed(bytes, inChunksOf: chunkBytes) }
                #expect(violation?.status == status)
            }
        }
    }

    @Test func `after a violation nothing is read any more`() {
        var parser = HTTPRequestParser()
        let first = #expect(throws: HTTPViolation.self) { try parser.feed("GET / HTTP/1.1\n") }
        let second = #expect(throws: HTTPViolation.self) { try parser.feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(first == second)
        #expect(!parser.isBetweenRequests)
    }
}
