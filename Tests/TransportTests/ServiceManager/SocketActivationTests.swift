import CLinux
import Glibc
import Testing

@testable import Transport

struct SocketActivationTests {
    /// Puts sockets where a service manager would, at numbers that nobody else in this process uses.
    private static func pass(_ sockets: [Int32], at first: Int32) {
        for (index, socket) in sockets.enumerated() {
            #expect(dup2(socket, first + Int32(index)) >= 0)
            close(socket)
        }
    }

    private static func firstDescriptor(_ test: Int32) -> Int32 {
        Int32(min(DescriptorLimit.current, 20_000)) - 10 * test
    }

    private static func environment(_ count: Int, names: String?) -> [String: String] {
        var variables = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "\(count)"]
        variables["LISTEN_FDNAMES"] = names
        return variables
    }

    @Test(arguments: PollerKind.allCases)
    func `sockets are taken over by name and serve several shards`(poller: PollerKind) throws {
        let first = Self.firstDescriptor(poller == .epoll ? 1 : 2)
        let path = "/tmp/belfry-activation-\(getpid())-\(first)"
        let opened = [try Listener.open(.tcp(host: "127.0.0.1", port: 0)), try Listener.open(.unix(path: path))]
        defer { unlink(path) }
        // As a service manager leaves them: blocking, and for whoever is started.
        for socket in opened { _ = (fcntl(socket.descriptor, F_SETFL, 0), fcntl(socket.descriptor, F_SETFD, 0)) }
        Self.pass(opened.map(\.descriptor), at: first)
        let inherited = try SocketActivation.take(
            environment: Self.environment(2, names: "public:publish"), firstDescriptor: first)
        #expect(inherited.map(\.name) == ["public", "publish"])
        #expect(inherited.map(\.socket.address) == opened.map(\.address))
        for entry in inherited {
            #expect(fcntl(entry.socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
            #expect(fcntl(entry.socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        let hosts = [try TestShard(poller), try TestShard(poller)]
        let accepted = Journal<Bool>()
        let copies = [inherited[0].socket, try inherited[0].socket.duplicate()]
        // The socket that the service manager keeps.
        let kept = try inherited[0].socket.duplicate()
        for (host, socket) in zip(hosts, copies) {
            try host.run { on in
                _ = Listener(socket, on: on) { descriptor, _ in
                    accepted.write(true)
                    close(descriptor)
                }
            }
        }
        for _ in 0..<20 { #expect(try TestSocket(to: opened[0].address).readToEnd().isEmpty) }
        #expect(try accepted.next(20).count == 20)
        for host in hosts { try host.stop() }
        // A client that connects while no process is there waits for the next one.
        let client = try TestSocket(to: opened[0].address)
        let next = accept(kept.descriptor, nil, nil)
        #expect(next >= 0)
        close(next)
        #expect(try client.readToEnd().isEmpty)
        kept.close()
        inherited[1].socket.close()
        #expect(access(path, F_OK) == 0)
    }

    @Test func `sockets for another process, or for none, are left alone`() throws {
        #expect(try SocketActivation.take(environment: [:]).isEmpty)
        #expect(try SocketActivation.take(environment: ["LISTEN_FDS": "1"]).isEmpty)
        #expect(try SocketActivation.take(environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"]).isEmpty)
        #expect(try SocketActivation.take(environment: Self.environment(0, names: nil)).isEmpty)
    }

    @Test func `without names they are unknown`() throws {
        let first = Self.firstDescriptor(3)
        Self.pass([try Listener.open(.tcp(host: "127.0.0.1", port: 0)).descriptor], at: first)
        let inherited = try SocketActivation.take(
            environment: Self.environment(1, names: nil), firstDescriptor: first)
        #expect(inherited.map(\.name) == ["unknown"])
        for entry in inherited { entry.socket.close() }
    }

    @Test(arguments: [("1", "a:b"), ("2", "a"), ("x", nil), ("-1", nil), ("5000", nil)])
    func `variables that contradict each other are an error`(count: String, names: String?) {
        var environment = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": count]
        environment["LISTEN_FDNAMES"] = names
        let failure = #expect(throws: SystemCallError.self) { try SocketActivation.take(environment: environment) }
        #expect(failure?.call == "sd_listen_fds")
    }

    @Test func `a socket that does not listen is named`() throws {
        let first = Self.firstDescriptor(4)
        let environment = Self.environment(1, names: "public")
        // First no descriptor, then a socket that nobody listens on, then a file.
        var failure = #expect(throws: SystemCallError.self) {
            try SocketActivation.take(environment: environment, firstDescriptor: first)
        }
        #expect(failure?.subject == "public (descriptor \(first))" && failure?.errno == EBADF)
        for descriptor in [socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), open("/dev/null", O_RDONLY)] {
            Self.pass([descriptor], at: first)
            failure = #expect(throws: SystemCallError.self) {
                try SocketActivation.take(environment: environment, firstDescriptor: first)
            }
            #expect(failure?.subject == "public (descriptor \(first))")
        }
        close(first)
    }
}
