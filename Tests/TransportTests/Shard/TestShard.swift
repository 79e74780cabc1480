import Glibc
import Synchronization

@testable import Transport

/// A shard for one test, stopped at its end.
final class TestShard: Sendable {
    let shard: Shard

    init(_ poller: PollerKind) throws { shard = try Shard(index: 0, poller: poller) }

    deinit { shard.stop {} }

    /// Runs `body` on the shard and waits for it.
    @discardableResult
    func run<Result: Sendable>(_ body: @escaping @Sendable (borrowing OnShard) throws -> Result) throws -> Result {
        let results = Journal<Swift.Result<Result, any Error>>()
        shard.post { on in
            do { results.write(.success(try body(on))) } catch { results.write(.failure(error)) }
        }
        return try results.next().get()
    }

    /// Returns when the shard's own timers say that so much time has passed.
    func wait(for duration: Duration) throws {
        let done = Journal<Bool>()
        shard.post { on in on.shard.schedule(at: on.now + duration, on) { _ in done.write(true) } }
        _ = try done.next()
    }

    /// Stops it and waits until it has.
    func stop() throws {
        let done = Journal<Bool>()
        shard.stop { done.write(true) }
        _ = try done.next()
    }

    /// Listens on a port that is free, or at another address.
    func listen(
        at address: SocketAddress = .tcp(host: "127.0.0.1", port: 0),
        accepted: @escaping @Sendable (Int32, borrowing OnShard) -> Void
    ) throws -> SocketAddress {
        let socket = try Listener.open(address)
        try run { on in _ = Listener(socket, on: on, accepted: accepted) }
        return socket.address
    }

    /// Listens with TLS; each connection's events go into the journal.
    func listen(
        tls: TLSServer, _ journal: Journal<RecordingHandler.Event>, react: @escaping RecordingHandler.Reaction
    ) throws -> SocketAddress {
        try listen { descriptor, on in
            // A failure shows in the journal, which stays empty.
            _ = try? RecordingHandler.attach(descriptor, tls: tls.current, journal, on, react: react)
        }
    }

    /// Takes over a descriptor; what happens to it goes into the journal.
    func connect(
        _ descriptor: Int32, _ journal: Journal<RecordingHandler.Event>, react: @escaping RecordingHandler.Reaction
    ) throws -> ConnectionID {
        try run { on in try RecordingHandler.attach(descriptor, journal, on, react: react).id }
    }
}

/// How many of this process's descriptors are sockets bound to that TCP port: other tests open and close theirs
/// meanwhile.
func descriptors(boundTo port: UInt16) -> Int {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return (0..<Int32(min(limit.rlim_cur, 20_000))).count { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return code == 0 && address.sin_family == AF_INET && UInt16(bigEndian: address.sin_port) == port
    }
}

extension SocketAddress {
    var port: UInt16 {
        switch self {
        case .tcp(_, let port): port
        case .unix: 0
        }
    }
}
