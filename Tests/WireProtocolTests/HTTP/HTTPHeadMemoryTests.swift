import Testing

@testable import WireProtocol

struct HTTPHeadMemoryTests {
    private static let head = "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Length: 2\r\n\r\n"

    private static let request = head + "hi"
    private static let chunkedRequest =
        "POST /v1/events HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"

    private static let lengthNames = ["Content-Length: ", "content-length:", "CONTENT-LENGTH:\t "]
    private static let bodies = [
        "hi", "hi", "hello", "", String(repeating: "x", count: 1_234), "h", "hi", "good morning",
    ]

    private static func request(_ body: String, lengthName: String) -> String {
        "POST /v1/events HTTP/1.1\r\nHost: belfry\r\n\(lengthName)\(body.utf8.count)\r\nX: y\r\n\r\n\(body)"
    }

    /// All that a request says, but for what follows from its fields.
    private static func text(_ request: WholeRequest) -> String {
        let (head, end) = (request.head, request.hasEnded ? "end" : "more")
        let fields = head.headers.fields.map { "\($0.name): \($0.value)" }
        let body = [String(describing: head.bodyBytes), request.bodyText, end]
        return ([head.method, head.target] + fields + body).joined(separator: "\n")
    }

    private func heads(_ text: String, inChunksOf chunkBytes: Int = 1_000) throws -> [HTTPRequestHead] {
        var parser = HTTPRequestParser()
        return try parser.feed(text, inChunksOf: chunkBytes).map(\.head)
    }

    @Test func `a head that comes again letter by letter is not read again`() throws {
        let heads = try heads(String(repeating: Self.head + "hi", count: 4))
        #expect(heads.count == 4)
        // The first is not remembered: most connections have one request only.
        #expect(heads[0] !== heads[1])
        #expect(heads[1] === heads[2] && heads[2] === heads[3])
    }

    @Test(arguments: [request, chunkedRequest], 1...200)
    func `requests with one head come out the same however the bytes are cut`(
        _ request: String, _ chunkBytes: Int
    ) throws {
        var parser = HTTPRequestParser()
        let text = String(repeating: request, count: 5) + "\r\n" + request.replacing("hi", with: "ho")
        let requests = try parser.feed(text, inChunksOf: chunkBytes)
        #expect(requests.map(\.bodyText) == Array(repeating: "hi", count: 5) + ["ho"])
        #expect(requests.map(\.head.path) == Array(repeating: "/v1/events", count: 6))
        #expect(requests.map(\.hasEnded) == Array(repeating: true, count: 6))
        #expect(parser.isBetweenRequests)
    }

    @Test(arguments: [request, chunkedRequest], 1...3)
    func `where each piece begins with a request, all but the first come with the head of the second`(
        _ request: String, _ requestsPerPiece: Int
    ) throws {
        var parser = HTTPRequestParser()
        let requests = try parser.feed(
            String(repeating: request, count: 12), inChunksOf: request.utf8.count * requestsPerPiece)
        #expect(requests.map(\.bodyText) == Array(repeating: "hi", count: 12))
        #expect(requests.dropFirst().allSatisfy { $0.head === requests[1].head })
        #expect(parser.isBetweenRequests)
    }

    @Test(arguments: [request, chunkedRequest], 0...15)
    func `a head that comes again may bring any part of its body`(_ request: String, _ bodyBytes: Int) throws {
        let parts = request.split(separator: "\r\n\r\n", maxSplits: 1)
        let (head, body) = (Array((parts[0] + "\r\n\r\n").utf8), Array(parts[1].utf8))
        let whole = head + body
        var parser = HTTPRequestParser()
        let requests = try parser.feed(
            pieces: [whole, whole, head + body.prefix(bodyBytes), Array(body.dropFirst(bodyBytes)), whole])
        #expect(requests.map(\.bodyText) == ["hi", "hi", "hi", "hi"])
        #expect(requests.map(\.hasEnded) == [true, true, true, true])
        #expect(requests[2].head === requests[1].head && requests[3].head === requests[1].head)
    }

    @Test func `a head that is long is read each time, and nothing is remembered behind it`() throws {
        let text = String(repeating: "x", count: 3_000)
        let long = "POST /v1/events HTTP/1.1\r\nHost: b\r\nContent-Length: 2\r\nX: \(text)\r\n\r\n"
        let all = [Self.head, Self.head, Self.head, long, long, Self.head]
        let heads = try heads(all.map { $0 + "hi" }.joined(), inChunksOf: 100_000)
        #expect(heads[1] === heads[2])
        #expect(heads[3] !== heads[4])
        #expect(heads[5] !== heads[2])
    }

    @Test func `another head is read, however much of it is the same`() throws {
        let longer = "POST /v1/events HTTP/1.1\r\nHost: belfry2\r\nContent-Length: 3\r\n\r\n"
        let more = "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Length: 2\r\nX: y\r\n\r\n"
        var parser = HTTPRequestParser()
        let texts = [Self.head + "hi", Self.head + "hi", longer + "hey", more + "hi", Self.head + "hi"]
        let requests = try parser.feed(texts.joined())
        #expect(requests.map(\.bodyText) == ["hi", "hi", "hey", "hi", "hi"])
        #expect(requests.map { $0.head.headers["X"] } == [nil, nil, nil, "y", nil])
    }

    @Test(arguments: lengthNames, 1...80)
    func `heads that differ in their lengths come out the same however the bytes are cut`(
        _ name: String, _ chunkBytes: Int
    ) throws {
        let bodies = Self.bodies
        var parser = HTTPRequestParser()
        let text = bodies.map { Self.request($0, lengthName: name) }.joined()
        let requests = try parser.feed(text, inChunksOf: chunkBytes)
        #expect(requests.map(\.bodyText) == bodies)
        #expect(requests.map { $0.head.headers["Content-Length"] } == bodies.map { String($0.utf8.count) })
        #expect(requests.map { $0.head.headers.fields.map(\.name.utf8.count) }.allSatisfy { $0 == [4, 14, 1] })
        #expect(requests.map { $0.head.headers["X"] } == bodies.map { _ in "y" })
        #expect(requests.map(\.head.bodyBytes) == bodies.map(\.utf8.count))
        #expect(requests.allSatisfy { $0.head.path == "/v1/events" && $0.head.isKeepAlive })
        #expect(parser.isBetweenRequests)
    }

    @Test(arguments: lengthNames, [true, false])
    func `of a head that comes again with another length only the length is read`(
        _ name: String, _ isOnePiece: Bool
    ) throws {
        let pieces = Self.bodies.map { Array(Self.request($0, lengthName: name).utf8) }
        var parser = HTTPRequestParser()
        let requests = try parser.feed(pieces: isOnePiece ? [pieces.flatMap(\.self)] : pieces)
        #expect(requests.map(\.bodyText) == Self.bodies)
        #expect(requests[2].head !== requests[1].head)
        // Had one of those between been read, it would be remembered in the place of this one.
        #expect(requests[6].head === requests[1].head)
    }

    @Test(
        arguments: [
            "/a?content-length:# HTTP/1.1", "/a HTTP/1.1\r\nX-Content-Length: #", "/a HTTP/1.1\r\nX: content-length: #",
            "/a HTTP/1.1\r\nX:content-length:#", "/a HTTP/1.1\r\nContent-Length#: x",
        ], ["Content-Length: ", "content-length:"])
    func `a text that only looks like the length is compared like any other`(_ front: String, _ name: String) throws {
        func request(_ decoy: Int, _ body: String) -> String {
            let front = front.replacing("#", with: String(decoy))
            return "POST \(front)\r\nHost: belfry\r\n\(name)\(body.utf8.count)\r\n\r\n\(body)"
        }
        let texts = [
            request(5, "hi"), request(5, "hi"), request(5, "hi"), request(5, "hello"), request(5, "hi"),
            request(7, "hi"), request(7, "hey"), request(7, "hi"), request(2, "hi"),
        ]
        var parser = HTTPRequestParser()
        let requests = try parser.feed(pieces: texts.map { Array($0.utf8) })
        let alone = try texts.flatMap { text in
            var fresh = HTTPRequestParser()
            return try fresh.feed(text)
        }
        #expect(requests.map(Self.text) == alone.map(Self.text))
        // Each is remembered over another length, and forgotten for another text.
        #expect(requests[4].head === requests[1].head && requests[7].head === requests[5].head)
        #expect(requests[5].head !== requests[1].head)
    }

    @Test(
        arguments: ["2", "02"],
        [
            "2", "3", "02", "03", "002", "+2", "2 ", "2,2", "2a", "", "-2", "\r\n 2", "99999999999999999999",
            "18446744073709551618", "2\r\nContent-Length: 2", "2\r\nTransfer-Encoding: chunked",
        ])
    func `a length that is spelled otherwise means what it means where nothing is remembered`(
        _ remembered: String, _ length: String
    ) throws {
        func request(_ length: String) -> String {
            "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Length: \(length)\r\n\r\nhi"
        }
        func outcome(after count: Int) -> Result<[String], HTTPViolation> {
            var parser = HTTPRequestParser()
            do throws(HTTPViolation) {
                _ = try parser.feed(String(repeating: request(remembered), count: count))
                return .success(try parser.feed(request(length)).map(Self.text))
            } catch {
                return .failure(error)
            }
        }
        #expect(outcome(after: 3) == outcome(after: 0))
    }

    @Test(arguments: 1...19)
    func `a length of many digits is remembered whole`(_ digits: Int) throws {
        let length = String("1234567890123456789".prefix(digits))
        let bytes = Array("POST / HTTP/1.1\r\nHost: b\r\nContent-Length: \(length)\r\n\r\n".utf8)
        let head = try HTTPRequestHead(method: "POST", target: "/", headers: ["Host": "b", "Content-Length": length])
        var buffer = ReceiveBuffer()
        bytes.withUnsafeBytes { buffer.append($0) }
        var memory = HTTPHeadMemory()
        for _ in 1...2 { memory.note(head, from: buffer, leaving: 0) }
        let repeated = bytes.withUnsafeBytes { memory.repeated(in: $0) }
        #expect(repeated?.head === head)
        #expect(repeated?.byteCount == bytes.count)
    }

    @Test func `a remembered head's body is still held to the limit of its moment`() throws {
        var parser = HTTPRequestParser(maximumBodyBytes: 2)
        _ = try parser.feed(String(repeating: Self.head + "hi", count: 3))
        parser.maximumBodyBytes = 1
        #expect(throws: HTTPViolation.bodyTooLarge(limit: 1)) { try parser.feed(Self.head) }
    }
}
