import Testing
import WireProtocol

@testable import Gateway

struct RouterTests {
    static let router = Router<String>([
        ("GET", "/api/notifications", "list"),
        ("DELETE", "/api/notifications", "clear"),
        ("PUT", "/api/notifications/read", "read"),
        ("DELETE", "/api/notifications/*", "remove"),
        ("GET", "/v1/feeds/*/items", "items"),
        ("GET", "/v1/users/*/devices/*", "device"),
    ])

    func match(_ method: String, _ target: String) throws -> String {
        let head = try head(method, target)
        let answer = Self.told(Self.router.match(head))
        // The shorter way for plain paths leads nowhere else.
        #expect(Self.told(Self.router.match(head.method, head.segments)) == answer)
        return answer
    }

    private static func told(_ match: Router<String>.Match) -> String {
        switch match {
        case .found(let endpoint, let parameters): ([endpoint] + parameters).joined(separator: " ")
        case .unserved([]): "404"
        case .unserved(let methods): "405 " + methods.joined(separator: ",")
        }
    }

    @Test(arguments: [
        ("GET", "/api/notifications", "list"), ("GET", "/api/notifications?page=2", "list"),
        ("DELETE", "/api/notifications", "clear"), ("PUT", "/api/notifications/read", "read"),
        ("DELETE", "/api/notifications/n1-9", "remove n1-9"), ("DELETE", "/api/notifications/read", "remove read"),
        ("GET", "/v1/feeds/posts/items", "items posts"), ("GET", "/v1/users/u/devices/d", "device u d"),
    ])
    func `a method and a path lead to one endpoint`(_ method: String, _ target: String, _ endpoint: String) throws {
        #expect(try match(method, target) == endpoint)
    }

    @Test(arguments: [
        ("/v1/feeds/query%3A42/items", "items query:42"), ("/v1/feeds/a%2Fb/items", "items a/b"),
        ("/v1/feeds/f%C3%BCr+alle/items", "items für+alle"), ("/v1/feeds/%2A/items", "items *"),
        ("/v1/feeds//items", "items "),
    ])
    func `what stands for a star is decoded, slashes and all`(_ target: String, _ endpoint: String) throws {
        #expect(try match("GET", target) == endpoint)
    }

    @Test func `a slash at the end makes one more segment, an empty one`() throws {
        #expect(try match("DELETE", "/api/notifications/") == "remove ")
        #expect(try match("GET", "/api/notifications/") == "405 DELETE")
        #expect(try match("GET", "/v1/feeds/posts/items/") == "404")
    }

    @Test(arguments: ["/api/notifications", "/v1/feeds/posts/items"])
    func `HEAD is served by what serves GET`(_ target: String) throws {
        #expect(try match("HEAD", target) == match("GET", target))
    }

    @Test(arguments: [
        ("POST", "/api/notifications", "405 GET,DELETE"), ("GET", "/api/notifications/read", "405 PUT,DELETE"),
        ("HEAD", "/api/notifications/n1-9", "405 DELETE"), ("get", "/api/notifications", "405 GET,DELETE"),
        ("OPTIONS", "/v1/feeds/posts/items", "405 GET"),
    ])
    func `another method is told which ones there are`(_ method: String, _ target: String, _ outcome: String) throws {
        #expect(try match(method, target) == outcome)
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
