import Testing
import WireProtocol

@testable import Gateway

struct RouterTests {
    static let router = Router<String>([
        Route("GET", "/api/notifications", query: ["page", "limit"], "list"),
        Route("DELETE", "/api/notifications", "clear"),
        Route("PUT", "/api/notifications/read", "read"),
        Route("DELETE", "/api/notifications/{id}", "remove"),
        Route("GET", "/v1/feeds/{feed}/items", query: .any(), "items"),
        Route("GET", "/v1/users/{user}/devices/{device}", query: .any(), "device"),
        Route("DELETE", "/api/notifications/snooze", query: .any(), "wake"),
        Route("GET", "/v1/tagged", query: .any(knowing: ["after", .list("tags")]), "tagged"),
    ])

    func match(_ method: String, _ target: String) throws -> String {
        let head = try head(method, target)
        let answer = Self.told(Self.router.match(head))
        // The shorter way for plain paths leads nowhere else.
        if let (index, parameters) = Self.router.find(method == "HEAD" ? "GET" : method, head.segments) {
            #expect(([Self.router.routes[index].handler] + parameters).joined(separator: " ") == answer)
        }
        return answer
    }

    private static func told(_ match: Router<String>.Match) -> String {
        switch match {
        case .found(let endpoint, let parameters): ([endpoint] + parameters).joined(separator: " ")
        case .unserved(let answer):
            ([String(answer.status)] + answer.headers.elements(of: "Allow")).joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("GET", "/api/notifications", "list"), ("GET", "/api/notifications?page=2", "list"),
        ("DELETE", "/api/notifications", "clear"), ("PUT", "/api/notifications/read", "read"),
        ("DELETE", "/api/notifications/n1-9", "remove n1-9"), ("DELETE", "/api/notifications/read", "remove read"),
        ("GET", "/v1/feeds/posts/items", "items posts"), ("GET", "/v1/users/u/devices/d", "device u d"),
        ("GET", "/v1/feeds/*/items", "items *"), ("GET", "/v1/feeds/items/items", "items items"),
        ("GET", "/v1/users/devices/devices/devices", "device devices devices"),
        ("GET", "/v1/users/u/devices/d?app=chat", "device u d"), ("GET", "/v1/users/u/devices/d?", "device u d"),
        ("GET", "http://localhost/v1/users/u/devices/d", "device u d"),
    ])
    func `a method and a path lead to one endpoint`(_ method: String, _ target: String, _ endpoint: String) throws {
        #expect(try match(method, target) == endpoint)
    }

    @Test(arguments: [
        ("/v1/feeds/query%3A42/items", "items query:42"), ("/v1/feeds/a%2Fb/items", "items a/b"),
        ("/v1/feeds/f%C3%BCr+alle/items", "items für+alle"), ("/v1/feeds/%2A/items", "items *"),
        ("/v1/feeds/a%3Fb/items?c=d", "items a?b"), ("/v1/feeds/%2525/items", "items %25"),
        // Whichever of two stars is encoded, and the parts that are given.
        ("/v1/users/%75/devices/d", "device u d"), ("/v1/users/u/devices/%64", "device u d"),
        ("/v1/users/u%2Fdevices/devices/d%2Fe", "device u/devices d/e"), ("/%761/users/u/devices/d", "device u d"),
        ("/v1/users/u/d%65vices/d?app=chat", "device u d"),
    ])
    func `the text for a star is decoded, slashes and all`(_ target: String, _ endpoint: String) throws {
        #expect(try match("GET", target) == endpoint)
    }

    @Test(arguments: [
        "/api/notifications/snooze", "/api/notifications/snooze?", "/api/notifications/snooze?x=1",
        "/api/notifications/sn%6Foze", "http://localhost/api/notifications/snooze",
    ])
    func `a whole path goes before one with a star, however it is written`(_ target: String) throws {
        #expect(try match("DELETE", target) == "wake")
    }

    @Test(arguments: ["/api/notifications/", "/v1/feeds/posts/items/", "/v1/users/u/devices/d/"])
    func `a slash too much at the end is told, whatever the method`(_ target: String) throws {
        for method in ["GET", "DELETE", "POST"] {
            guard case .unserved(let answer) = Self.router.match(try head(method, target)) else {
                Issue.record("\(method) \(target) is served")
                continue
            }
            #expect(answer.status == 404)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("without the slash at its end"))
        }
    }

    @Test(arguments: [
        "/v1/feeds//items", "/v1/users//devices/d", "/v1/users/u/devices/", "/v1/users//devices/",
        "/v1/users/u/devices",
        "/v1/users//devices/d?x=1", "/v1/users/%75/devices/", "/v1/users/u//devices/d", "//v1/users/u/devices/d",
        "/v1/feeds/posts/items/?x=1", "/v1/users/u/devices/d/", "/v1/users/%75/devices/d/",
    ])
    func `no star stands for nothing, and a slash is a segment more`(_ target: String) throws {
        #expect(try match("GET", target) == "404")
    }

    @Test(arguments: [
        "/api/notifications", "/v1/feeds/posts/items", "/v1/feeds/p%6Fsts/items", "/v1/users/u/devices/d?x=1",
        "/v1/users/u/devices/d", "/v1/users/u/devices/d/", "/v1/users//devices/d", "/api/notifications/n1-9/",
    ])
    func `HEAD is served by what serves GET`(_ target: String) throws {
        #expect(try match("HEAD", target) == match("GET", target))
    }

    @Test(arguments: [
        ("GET", "/api/notifications?limit=2&page=1", "list"), ("GET", "/api/notifications?limt=2", "400"),
        ("GET", "/api/notifications?Limit=2", "400"), ("GET", "/api/notifications?limit=2&", "list"),
        ("GET", "/api/notifications?limit=2&limit=2", "400"),
        ("GET", "/api/notifications?limit=&page=1&limit=2", "400"),
        ("GET", "/v1/tagged?tags=a&tags=b", "tagged"), ("GET", "/v1/tagged?after=1&tags=a&after=2", "400"),
        ("GET", "/v1/tagged?x=1&x=2", "tagged"),
        ("DELETE", "/api/notifications/n1-9?x=1", "400"), ("GET", "/v1/feeds/posts/items?x=1", "items posts"),
        ("POST", "/api/notifications?limt=2", "405 GET HEAD DELETE"),
    ])
    func `a query is refused if it names what its endpoint does not know, or one thing twice`(
        _ method: String, _ target: String, _ outcome: String
    ) throws {
        #expect(Self.told(Self.router.match(try head(method, target))) == outcome)
    }

    @Test func `a parameter that is unknown is told with the one that it may have been meant for`() throws {
        let match = Self.router.match(try head("GET", "/api/notifications?limt=2"))
        guard case .unserved(let answer) = match else {
            Issue.record("it is served")
            return
        }
        #expect(
            String(decoding: answer.body, as: UTF8.self).contains(#"limt: unknown parameter; did you mean \"limit\"?"#))
    }

    @Test(arguments: [
        ("POST", "/api/notifications", "405 GET HEAD DELETE"), ("GET", "/api/notifications/read", "405 PUT DELETE"),
        ("HEAD", "/api/notifications/n1-9", "405 DELETE"), ("get", "/api/notifications", "405 GET HEAD DELETE"),
        ("OPTIONS", "/v1/feeds/posts/items", "405 GET HEAD"),
        ("POST", "/api/notifications/snooze", "405 DELETE"),
    ])
    func `another method is told which ones there are`(_ method: String, _ target: String, _ outcome: String) throws {
        #expect(try match(method, target) == outcome)
    }

    @Test(arguments: [
        ("/api/notifications", ["GET", "DELETE"]), ("/api/notifications/read?x=1", ["PUT", "DELETE"]),
        ("/v1/feeds/a%2Fb/items", ["GET"]), ("/api/notifications/", []), ("/nowhere", []),
    ])
    func `a path has the methods of all patterns that it matches, each once`(_ target: String, _ methods: [String])
        throws
    {
        #expect(Self.router.methods(at: try head("OPTIONS", target).segments) == methods)
    }

    @Test(arguments: [
        "/", "/api", "/api/notifications/a/b", "/api//notifications", "/v1/feeds/items",
        "/API/notifications", "/v1/feeds/posts/items/1", "/api/../api/notifications",
    ])
    func `another path is unknown, whatever the method`(_ target: String) throws {
        #expect(try match("GET", target) == "404")
        #expect(try match("DELETE", target) == "404")
    }
}

extension Route<String> {
    fileprivate init(_ method: String, _ path: String, query: RouteQuery = [], _ handler: String) {
        self.init(method, path, query: query, gives: .text, handler)
    }
}
