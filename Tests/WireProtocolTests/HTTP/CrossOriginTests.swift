import Testing

@testable import WireProtocol

struct CrossOriginTests {
    private static let page = "https://app.example.com"

    private static func crossOrigin(_ origins: String...) throws -> CrossOrigin {
        try #require(
            CrossOrigin(
                OriginRules(origins), requestHeaders: ["Authorization", "Content-Type"], responseHeaders: ["ETag"]))
    }

    private static func head(_ method: String = "GET", _ fields: (String, String)...) throws -> HTTPRequestHead {
        var headers: HTTPHeaders = ["Host": "push.example.com"]
        for (name, value) in fields { headers.add(name, value) }
        return try HTTPRequestHead(method: method, target: "/api/notifications", headers: headers)
    }

    // MARK: Answers

    @Test(arguments: [
        HTTPResponse(status: 200, headers: ["ETag": "\"a.1\""], body: [1, 2]), HTTPResponse(status: 304),
        HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Bearer"]),
    ])
    func `a page of an allowed origin may read every answer and the fields that it needs`(_ answer: HTTPResponse) throws
    {
        let shared = try Self.crossOrigin(Self.page).share(answer, with: Self.head("GET", ("Origin", Self.page)))
        var expected = answer
        expected.headers.add("Vary", "Origin")
        expected.headers.add("Access-Control-Allow-Origin", Self.page)
        expected.headers.add("Access-Control-Expose-Headers", "ETag")
        #expect(shared == expected)
    }

    @Test(arguments: [
        ("https://*.example.com", "https://a.b.example.com"),
        ("https://app.example.com", "https://APP.example.com:443"),
        ("null", "null"), ("capacitor://localhost", "capacitor://localhost"),
    ])
    func `the origin is named as the browser wrote it`(_ rule: String, _ origin: String) throws {
        let shared = try Self.crossOrigin("http://other.example", rule).share(
            HTTPResponse(status: 200), with: Self.head("GET", ("Origin", origin)))
        #expect(shared.headers.values("Access-Control-Allow-Origin") == [origin])
    }

    @Test func `a request from no page is answered as it is`() throws {
        let answer = HTTPResponse(status: 200, headers: ["ETag": "\"a.1\""], body: [1])
        #expect(try Self.crossOrigin(Self.page).share(answer, with: Self.head()) == answer)
    }

    @Test(arguments: ["https://evil.example", "http://app.example.com", "null", ""])
    func `a page of another origin gets nothing but the word that origins differ`(_ origin: String) throws {
        let answer = HTTPResponse(status: 200, body: [1])
        let shared = try Self.crossOrigin(Self.page).share(answer, with: Self.head("GET", ("Origin", origin)))
        #expect(shared == HTTPResponse(status: 200, headers: ["Vary": "Origin"], body: [1]))
    }

    @Test func `a request that names two origins is of neither`() throws {
        let head = try Self.head("GET", ("Origin", Self.page), ("origin", Self.page))
        let crossOrigin = try Self.crossOrigin(Self.page)
        #expect(!crossOrigin.allows(head))
        #expect(crossOrigin.share(HTTPResponse(status: 200), with: head).headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test func `where no origin is named nothing is shared`() {
        #expect(CrossOrigin(.all, requestHeaders: [], responseHeaders: []) == nil)
    }

    // MARK: Preflights

    @Test func `a preflight is an OPTIONS with an origin and the method that is meant`() throws {
        let (origin, method) = (("Origin", Self.page), ("Access-Control-Request-Method", "PUT"))
        #expect(CrossOrigin.isPreflight(try Self.head("OPTIONS", origin, method)))
        #expect(!CrossOrigin.isPreflight(try Self.head("GET", origin, method)))
        #expect(!CrossOrigin.isPreflight(try Self.head("OPTIONS", origin)))
        #expect(!CrossOrigin.isPreflight(try Self.head("OPTIONS", method)))
    }

    @Test func `only a request with an origin that is named is an allowed one`() throws {
        let crossOrigin = try Self.crossOrigin(Self.page)
        #expect(crossOrigin.allows(try Self.head("OPTIONS", ("Origin", Self.page))))
        #expect(!crossOrigin.allows(try Self.head("OPTIONS", ("Origin", "https://evil.example"))))
        #expect(!crossOrigin.allows(try Self.head("OPTIONS")))
    }

    @Test func `the permission tells methods, fields and how long it holds`() throws {
        let head = try Self.head("OPTIONS", ("Origin", Self.page))
        let permission = try Self.crossOrigin(Self.page).permission(for: ["GET", "DELETE"], asked: head)
        #expect(
            permission
                == HTTPResponse(
                    status: 204,
                    headers: [
                        "Access-Control-Allow-Methods": "GET, DELETE",
                        "Access-Control-Allow-Headers": "Authorization, Content-Type",
                        "Access-Control-Max-Age": "7200",
                    ]))
    }

    @Test func `a page may send every field that it asks for`() throws {
        let name = "Access-Control-Request-Headers"
        let head = try Self.head(
            "OPTIONS", ("Origin", Self.page), (name, "authorization, sentry-trace,baggage,x-requested-with, b@d, é"),
            (name, "traceparent, baggage,, "))
        let permission = try Self.crossOrigin(Self.page).permission(for: ["GET"], asked: head)
        #expect(
            permission.headers["Access-Control-Allow-Headers"]
                == "Authorization, Content-Type, sentry-trace, baggage, x-requested-with, traceparent")
    }
}
