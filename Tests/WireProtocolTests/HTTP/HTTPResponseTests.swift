import Testing

@testable import WireProtocol

struct HTTPResponseTests {
    private static let careful = "X-Content-Type-Options: nosniff\r\nCache-Control: private, no-cache\r\n"

    @Test func `a response tells its length and what becomes of the connection`() {
        let response = HTTPResponse(status: 202, headers: ["Content-Type": "text/plain"], body: Array("hi".utf8))
        #expect(
            response.encoded(isKeepAlive: true).text
                == "HTTP/1.1 202 Accepted\r\nContent-Type: text/plain\r\n" + Self.careful
                + "Content-Length: 2\r\nConnection: keep-alive\r\n\r\nhi")
        #expect(response.encoded(isKeepAlive: false).text.contains("Connection: close\r\n"))
    }

    @Test func `an answer to HEAD tells the length and sends no body`() {
        let bytes = HTTPResponse(status: 200, body: [1, 2, 3]).encoded(isKeepAlive: true, omitsBody: true).text
        #expect(bytes.contains("Content-Length: 3\r\n"))
        #expect(bytes.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: [204, 304])
    func `a status without a body loses it`(_ status: Int) {
        let bytes = HTTPResponse(status: status, body: [1]).encoded(isKeepAlive: true).text
        #expect(!bytes.contains("Content-Length"))
        #expect(bytes.hasSuffix("\r\n\r\n"))
    }

    @Test func `a value cannot begin a line of its own`() {
        let bytes = HTTPResponse(status: 302, headers: ["Location": "/\r\nSet-Cookie: a=b\u{0}"])
            .encoded(isKeepAlive: true).text
        #expect(bytes.contains("Location: /  Set-Cookie: a=b \r\n"))
    }

    @Test func `fields that frame the body are ours`() {
        let bytes = HTTPResponse(status: 200, headers: ["content-length": "9", "connection": "Upgrade"], body: [65])
            .encoded(isKeepAlive: false).text
        #expect(
            bytes == "HTTP/1.1 200 OK\r\n" + Self.careful
                + "Content-Length: 1\r\nConnection: Upgrade, close\r\n\r\nA")
    }

    @Test(arguments: [200, 202, 404, 503])
    func `an answer is kept by its reader alone, unless it says otherwise, and is what it says it is`(_ status: Int) {
        let usual = HTTPResponse(status: status, body: [65]).encoded(isKeepAlive: true).text
        #expect(usual.contains("\r\n" + Self.careful))
        let file = HTTPResponse(status: status, headers: ["cache-control": "public"], body: [65])
        let shared = file.encoded(isKeepAlive: true).text
        #expect(
            shared.contains("cache-control: public\r\n") && !shared.contains("private") && shared.contains("nosniff"))
    }

    @Test(arguments: [101, 204, 304])
    func `an answer without a body says nothing about its type`(_ status: Int) {
        let bytes = HTTPResponse(status: status).encoded(isKeepAlive: true).text
        #expect(!bytes.contains("nosniff") && !bytes.contains("Cache-Control"))
    }

    @Test func `our own reader of chunks understands a chunked response`() throws {
        let head = HTTPResponse.chunkedHead(status: 200, headers: ["X": "y"])
        #expect(
            head.text == "HTTP/1.1 200 OK\r\nX: y\r\n" + Self.careful
                + "Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n")
        let pieces = [Array("hello".utf8), [], Array(repeating: UInt8(ascii: "x"), count: 300)]
        let body = pieces.flatMap(HTTPResponse.chunk) + HTTPResponse.lastChunk
        var parser = HTTPRequestParser()
        let requests = try parser.feed(
            Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + body)
        #expect(requests.map(\.body) == [pieces.flatMap { $0 }])
        #expect(requests.map(\.hasEnded) == [true])
    }

    @Test func `every status that we send has a name`() {
        for status in [400, 405, 408, 413, 414, 417, 426, 429, 431, 501, 503, 505] {
            #expect(!HTTPResponse.reasonPhrase(of: status).isEmpty)
        }
        #expect(HTTPResponse(status: 299).encoded(isKeepAlive: true).text.hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test func `a problem is a response with its code`() {
        let response = Problem(status: 429, code: "too_many", detail: "slow down", retryAfter: 3).response
        #expect(response.headers["Retry-After"] == "3")
        #expect(
            response.body.text == #"{"type":"about:blank","title":"Too Many Requests","status":429,"code":"too_many","#
                + #""detail":"slow down","retryAfter":3}"#)
    }
}
