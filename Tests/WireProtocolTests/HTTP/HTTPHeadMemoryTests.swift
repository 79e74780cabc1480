import Testing

@testable import WireProtocol

struct HTTPHeadMemoryTests {
    private static let head = "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Length: 2\r\n\r\n"

    private static let request = head + "hi"
    private static let chunkedRequest =
        "POST /v1/events HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"

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

    @Test(arguments: ["Content-Length: ", "content-length:", "CONTENT-LENGTH:\t "], 1...80)
    func `of a head that comes again with another length only the length is read`(
        _ name: String, _ chunkBytes: Int
    ) throws {
        func request(_ body: String) -> String {
            "POST /v1/events HTTP/1.1\r\nHost: belfry\r\n\(name)\(body.utf8.count)\r\nX: y\r\n\r\n\(body)"
        }
        let bodies = ["hi", "hi", "hello", "", String(repeating: "x", count: 1_234), "h", "hi", "good morning"]
        var parser = HTTPRequestParser()
        let requests = try parser.feed(bodies.map(request).joined(), inChunksOf: chunkBytes)
        #expect(requests.map(\.bodyText) == bodies)
        #expect(requests.map { $0.head.headers["Content-Length"] } == bodies.map { String($0.utf8.count) })
        #expect(requests.map { $0.head.headers.fields.map(\.name.utf8.count) }.allSatisfy { $0 == [4, 14, 1] })
        #expect(requests.map { $0.head.headers["X"] } == bodies.map { _ in "y" })
        #expect(requests.map(\.head.bodyBytes) == bodies.map(\.utf8.count))
        #expect(requests.allSatisfy { $0.head.path == "/v1/events" && $0.head.isKeepAlive })
        #expect(parser.isBetweenRequests)
    }

    @Test(
        arguments: [
            "02", "+2", "2 ", "2,2", "2a", "", "-2", "\r\n 2", "99999999999999999999", "18446744073709551618",
            "2\r\nContent-Length: 2", "2\r\nTransfer-Encoding: chunked",
        ])
    func `a length that is spelled otherwise means what it means where nothing is remembered`(_ length: String) throws {
        func request(_ length: String) -> String {
            "POST /v1/events HTTP/1.1\r\nHost: belfry\r\nContent-Length: \(length)\r\n\r\nhi"
        }
        func outcome(after count: Int) -> Result<[String], HTTPViolation> {
            var parser = HTTPRequestParser()
            do throws(HTTPViolation) {
                _ = try parser.feed(String(repeating: request("2"), count: count))
                let requests = try parser.feed(request(length))
                return .success(requests.map(\.bodyText) + requests.map { $0.head.headers["Content-Length"] ?? "" })
            } catch {
                return .failure(error)
            }
        }
        #expect(outcome(after: 3) == outcome(after: 0))
    }

    @Test func `a remembered head's body is still held to the limit of its moment`() throws {
        var parser = HTTPRequestParser(maximumBodyBytes: 2)
        _ = try parser.feed(String(repeating: Self.head + "hi", count: 3))
        parser.maximumBodyBytes = 1
        #expect(throws: HTTPViolation.bodyTooLarge) { try parser.feed(Self.head) }
    }
}
