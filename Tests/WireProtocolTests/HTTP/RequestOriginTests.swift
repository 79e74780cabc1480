import Testing
import WireProtocol

struct RequestOriginTests {
    private func head(host: String, origin: String? = nil) throws -> HTTPRequestHead {
        var headers: HTTPHeaders = ["Host": host]
        if let origin { headers.add("Origin", origin) }
        return try HTTPRequestHead(method: "POST", target: "/demo/token", headers: headers)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("localhost:8080", "https://localhost:8080"),
        ("[::1]:8080", "http://[::1]:8080"), ("LOCALHOST", "http://localhost"),
    ])
    func `a page of the host and port that are asked is of the same origin`(_ host: String, _ origin: String) throws {
        #expect(try head(host: host, origin: origin).isOfSameOrigin)
    }

    @Test(arguments: [
        nil, "null", "", "http://127.0.0.1:8081", "http://localhost:8080", "http://127.0.0.1", "127.0.0.1:8080",
        "http://127.0.0.1:8080/", "http://127.0.0.1:8080.evil.example", "ws://127.0.0.1:8080", "http://evil.example",
    ])
    func `a page of any other is not, nor is what names none`(_ origin: String?) throws {
        #expect(try !head(host: "127.0.0.1:8080", origin: origin).isOfSameOrigin)
    }

    @Test(arguments: [
        "localhost", "localhost:8080", "LocalHost:1", "127.0.0.1", "127.8.9.1:80", "[::1]:8080", "[::ffff:127.0.0.1]",
    ])
    func `this machine's own names are for loopback`(_ host: String) throws {
        #expect(try head(host: host).isForLoopback)
    }

    @Test(arguments: [
        "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1:8080", "[::2]", "0.0.0.0",
        "128.0.0.1", "localhost.", "notlocalhost", "[2001:db8::1]:8080",
    ])
    func `no other name is, wherever it leads`(_ host: String) throws {
        #expect(try !head(host: host).isForLoopback)
    }
}
