import Testing
import Transport

struct LoopbackTests {
    @Test(arguments: ["127.0.0.1:8080", "[::1]:8080", "localhost:0", "Localhost:80", "127.9.9.9:1", "unix:/tmp/socket"])
    func `only this machine can connect to a loopback address or a Unix socket`(_ text: String) throws {
        #expect(try #require(SocketAddress(text)).isLoopback)
    }

    @Test(arguments: [
        ":8080", "0.0.0.0:8080", "[::]:8080", "192.168.0.7:80", "[fe80::1]:80", "example.com:80", "127:80",
    ])
    func `others can connect to any other`(_ text: String) throws {
        #expect(try !#require(SocketAddress(text)).isLoopback)
    }
}
