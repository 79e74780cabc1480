import CLinux
import Glibc
import Support
import Testing
import WireProtocol

@testable import Transport

/// Addresses of both families, and ports that several listeners share.
@Suite struct ListenerSharingTests {
    private static let anyPort = SocketAddress.tcp(host: "127.0.0.1", port: 0)

    @Test func `the first listener has the port alone at that moment, and shares it with those that join`() throws {
        let first = try Listener.open(Self.anyPort, sharingPort: true, isFirst: true)
        defer { first.close() }
        let joined = try Listener.open(first.address, sharingPort: true)
        defer { joined.close() }
        #expect(throws: SystemCallError("bind", errno: EADDRINUSE, subject: first.address.description)) {
            try Listener.open(first.address, sharingPort: true, isFirst: true)
        }
    }

    // MARK: Leaving

    @Test(arguments: PollerKind.allCases)
    func `while one of two leaves, all clients reach the other and none is refused`(poller: PollerKind) throws {
        let hosts = [try TestShard(poller), try TestShard(poller)]
        let accepted = Journal<Int>()
        var sockets = [try Listener.open(Self.anyPort, sharingPort: true)]
        sockets.append(try Listener.open(sockets[0].address, sharingPort: true))
        let listeners = hosts.map { QueueBound<Listener?>(nil, on: $0.shard.queue) }
        for (index, (host, socket)) in zip(hosts, sockets).enumerated() {
            let listener = listeners[index]
            try host.run { on in
                let made = Listener(socket, on: on) { descriptor, _ in
                    accepted.write(index)
                    close(descriptor)
                }
                listener.withState { $0 = made }
            }
        }
        try hosts[0].run { on in listeners[0].withState { $0 }?.leave(within: .milliseconds(300), on) }
        // All at once, before the listener has closed: half of them have to try again, a second later.
        let clients = try (0..<32).map { _ in try Self.beginToConnect(to: sockets[0].address) }
        for client in clients { #expect(Self.ends(client)) }
        // The kernel would have dealt about half of them to the first.
        #expect(try accepted.next(32) == Array(repeating: 1, count: 32))
    }

    /// - Returns: a socket whose handshake is under way.
    private static func beginToConnect(to address: SocketAddress) throws -> Int32 {
        try address.resolve { (family, pointer, length) throws(SystemCallError) in
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(family, kind, 0)
            guard connect(descriptor, pointer, length) == 0 || errno == EINPROGRESS else {
                throw SystemCallError("connect", errno: errno)
            }
            return descriptor
        }
    }

    /// Whether the socket is connected and closed in good order while a test is patient.
    private static func ends(_ descriptor: Int32) -> Bool {
        defer { close(descriptor) }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        let patience = Int32(Duration.patience / .milliseconds(1))
        return poll(&entry, 1, patience) == 1 && recv(descriptor, &byte, 1, 0) == 0
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that has connected before it leaves is still accepted`(poller: PollerKind) throws {
        let host = try TestShard(poller)
        let accepted = Journal<Bool>()
        let socket = try Listener.open(Self.anyPort, sharingPort: true)
        let clients = try (0..<3).map { _ in try TestSocket(to: socket.address) }
        try host.run { on in
            let listener = Listener(socket, on: on) { descriptor, _ in
                var length = socklen_t(0)
                // No filter is set on the accepted socket.
                accepted.write(getsockopt(descriptor, SOL_SOCKET, SO_GET_FILTER, nil, &length) == 0 && length == 0)
                close(descriptor)
            }
            listener.leave(on)
        }
        #expect(try accepted.next(3) == [true, true, true])
        for client in clients { #expect(try client.readToEnd().isEmpty) }
    }

    @Test func `a port that nobody shares is free at once`() throws {
        let host = try TestShard(.epoll)
        let socket = try Listener.open(Self.anyPort)
        try host.run { on in Listener(socket, on: on) { descriptor, _ in close(descriptor) }.leave(on) }
        try Listener.open(socket.address).close()
    }

    // MARK: Addresses

    private static let hasIPv6: Bool = {
        do {
            try Listener.open(.tcp(host: "::1", port: 0)).close()
            return true
        } catch {
            return false
        }
    }()

    @Test(
        .enabled(if: hasIPv6, "this machine has no IPv6"),
        arguments: [
            ("", ["127.0.0.1": "127.0.0.1", "::1": "::1", "": nil]),
            ("::", ["127.0.0.1": "127.0.0.1", "::1": "::1"]),
            ("::1", ["::1": "::1"]),
        ])
    func `a listener takes clients of the families it stands for`(host: String, clients: [String: String?]) throws {
        let server = try TestHTTPServer(at: .tcp(host: host, port: 0))
        for (target, seen) in clients {
            let client = try TestSocket(to: .tcp(host: target, port: server.address.port), server: server)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = try client.readResponse().text
            // An IPv4 client is one, whatever socket it came through.
            #expect(seen.map { text == "/ \($0)" } ?? ["/ 127.0.0.1", "/ ::1"].contains(text))
        }
    }

    @Test(
        .enabled(if: hasIPv6, "this machine has no IPv6"))
    func `an IPv6 address alone takes no IPv4 clients`() throws {
        let server = try TestHTTPServer(at: .tcp(host: "::1", port: 0))
        #expect(throws: SystemCallError.self) {
            try TestSocket(to: .tcp(host: "127.0.0.1", port: server.address.port))
        }
    }

    @Test(arguments: [
        ("127.0.0.1:80", SocketAddress.tcp(host: "127.0.0.1", port: 80)), ("[::1]:80", .tcp(host: "::1", port: 80)),
        (":80", .tcp(host: "", port: 80)), ("[::]:0", .tcp(host: "::", port: 0)),
        ("name.example:443", .tcp(host: "name.example", port: 443)), ("unix:/run/x", .unix(path: "/run/x")),
        ("::1:80", nil), ("[]:80", nil), ("[a]:80", nil), ("[::1]", nil), ("80", nil), ("a:", nil), ("a:65536", nil),
        ("unix:", nil), ("", nil),
    ])
    func `an address is read as it is written`(text: String, address: SocketAddress?) {
        #expect(SocketAddress(text) == address)
        if let address, case .tcp = address { #expect(address.description == text) }
    }
}
