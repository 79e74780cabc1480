import Testing

@testable import WireProtocol

struct HTTPRequestHeadTests {
    func head(_ target: String, method: String = "GET", _ headers: HTTPHeaders = [:]) throws -> HTTPRequestHead {
        var all: HTTPHeaders = ["Host": "belfry"]
        for field in headers.fields { all.add(field.name, field.value) }
        return try HTTPRequestHead(method: method, target: target, headers: all)
    }

    @Test(arguments: [
        ("/", "/", [""]),
        ("/a/b", "/a/b", ["a", "b"]),
        ("/a//b/", "/a//b/", ["a", "", "b", ""]),
        ("/v1/events/comment%2F42", "/v1/events/comment/42", ["v1", "events", "comment/42"]),
        ("/%C3%A9+%7e", "/é+~", ["é+~"]),
        ("http://other:8080/a?b=c", "/a", ["a"]),
        ("HTTPS://other", "/", [""]),
        ("http://other?b=c", "/", [""]),
    ])
    func `a target gives a decoded path and its parts`(_ target: String, path: String, segments: [String]) throws {
        let head = try head(target)
        #expect(head.path == path)
        #expect(head.segments == segments)
        #expect(head.target == target)
    }

    @Test(arguments: ["Authorization", "Content-Type", "Idempotency-Key"])
    func `a field that is no list may stand there once`(_ name: String) throws {
        #expect(throws: HTTPViolation.badRequest("more than one \(name) field")) {
            try self.head("/", [name: "a", name.lowercased(): "a"])
        }
        #expect(throws: Never.self) { try self.head("/", [name: "a"]) }
    }

    @Test func `lines of a list join`() throws {
        let headers = try head("/", ["If-None-Match": "\"a\"", "Other": "x", "if-none-match": "\"b\", \"c\""]).headers
        #expect(headers.joined("If-None-Match") == "\"a\", \"b\", \"c\"")
        #expect(headers.joined("Other") == "x")
        #expect(headers.joined("None") == nil)
    }

    @Test(
        arguments: [
            ([:], .identity), (["Content-Encoding": "identity"], .identity), (["Content-Encoding": "GZIP"], .gzip),
            (["Content-Encoding": "x-gzip"], .gzip), (["Content-Encoding": "identity, gzip"], .gzip),
            (["Content-Encoding": "br"], .unknown), (["Content-Encoding": "gzip, gzip"], .unknown),
            (["Content-Encoding": "gzip", "content-encoding": "br"], .unknown), (["Content-Encoding": ""], .identity),
        ] as [(HTTPHeaders, HTTPContentCoding)])
    func `a head tells how its body is coded`(_ headers: HTTPHeaders, _ coding: HTTPContentCoding) throws {
        #expect(try head("/", headers).contentCoding == coding)
    }

    @Test func `a query is decoded as a form`() throws {
        let query = try head("/?a=1&b=x+y%2B&&c&a=2&=d&e=f=g&f=&f=h").query
        #expect(query["a"] == "1")
        #expect(query.values("a") == ["1", "2"])
        #expect(query["b"] == "x y+")
        #expect(query["c"] == nil && query["f"] == nil)
        #expect(query.values("c") == [""] && query.values("f") == ["", "h"])
        #expect(query[""] == "d")
        #expect(query["e"] == "f=g")
        #expect(query["none"] == nil)
    }

    static let bodies: [(headers: HTTPHeaders, hasBody: Bool, bytes: Int?)] = [
        ([:], false, 0),
        (["Content-Length": "0"], false, 0),
        (["Content-Length": "5"], true, 5),
        // Where only its end tells how long it is, it may be empty and yet has to be read.
        (["Transfer-Encoding": "chunked"], true, nil),
    ]

    @Test(arguments: bodies)
    func `a head tells whether a body follows, and how long it is if that is known`(
        _ headers: HTTPHeaders, _ hasBody: Bool, _ bytes: Int?
    ) throws {
        let head = try head("/", method: "POST", headers)
        #expect(head.hasBody == hasBody)
        #expect(head.bodyBytes == bytes)
    }

    @Test func `an absolute target's host counts more than the Host field`() throws {
        #expect(try head("http://other:8080/").authority == "other:8080")
        #expect(try head("/").authority == "belfry")
    }

    @Test func `an asterisk is for OPTIONS only`() throws {
        #expect(try head("*", method: "OPTIONS").path == "*")
        #expect(throws: HTTPViolation.self) { try head("*") }
    }

    @Test func `header names and tokens compare without case`() throws {
        let headers: HTTPHeaders = ["connection": "Keep-Alive ,, UPGRADE", "Connection": "x", "ETag": "1"]
        #expect(headers["CONNECTION"] == "Keep-Alive ,, UPGRADE")
        #expect(headers.values("Connection").count == 2)
        #expect(headers.hasToken("upgrade", in: "Connection"))
        #expect(headers.hasToken("X", in: "Connection"))
        #expect(!headers.hasToken("grade", in: "Connection"))
        #expect(headers["etag"] == "1")
        #expect(headers["e"] == nil)
    }

    @Test func `a request says whether the connection goes on`() throws {
        let old = try HTTPRequestHead(method: "GET", target: "/", headers: [:], minorVersion: 0)
        let oldKeeping = try HTTPRequestHead(
            method: "GET", target: "/", headers: ["Connection": "Keep-Alive"], minorVersion: 0)
        #expect(!old.isKeepAlive)
        #expect(oldKeeping.isKeepAlive)
        #expect(try head("/").isKeepAlive)
        #expect(try !head("/", ["Connection": "upgrade, Close"]).isKeepAlive)
    }

    @Test(arguments: ["websocket", "h2c", "TLS/1.0, x"])
    func `whoever asks for another protocol gets no second request, whether it is had or not`(name: String) throws {
        #expect(try !head("/", ["Connection": "Upgrade", "Upgrade": name]).isKeepAlive)
        #expect(try !head("/", ["Upgrade": name]).isKeepAlive)
    }

    @Test func `only HTTP 1.1 can wait for a go-ahead`() throws {
        let expect: HTTPHeaders = ["Expect": "100-Continue"]
        #expect(try head("/", expect).expectsContinue)
        #expect(try !head("/").expectsContinue)
        #expect(try !HTTPRequestHead(method: "GET", target: "/", headers: expect, minorVersion: 0).expectsContinue)
    }

    @Test func `values lose the space around them and keep what is inside`() throws {
        var parser = HTTPRequestParser()
        let requests = try parser.feed(
            "GET / HTTP/1.1\r\nHost:a\r\nA: \t b\t c \t\r\nEmpty:\r\nX-Unicode: é\r\n\r\n")
        let headers = try #require(requests.first?.head.headers)
        #expect(headers["a"] == "b\t c")
        #expect(headers["empty"] == "")
        #expect(headers["x-unicode"] == "é")
    }
}
