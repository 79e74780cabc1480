import Testing
import Transport

/// A server's shard and its readers', which meet on real sockets.
struct ShardPair: Sendable {
    let server: Shard
    let readers: Shard

    init(_ poller: PollerKind = .epoll) throws {
        (server, readers) = (try Shard(index: 0, poller: poller), try Shard(index: 1, poller: poller))
    }

    /// Listens with a service that is made on the server's shard.
    func serve(_ makeService: @escaping @Sendable () -> any HTTPService) async throws -> SocketAddress {
        let socket = try Listener.open(.tcp(host: "127.0.0.1", port: 0))
        await withCheckedContinuation { continuation in
            server.post { on in
                _ = Listener(socket, serving: HTTPEndpoint(makeService()), on: on)
                continuation.resume()
            }
        }
        return socket.address
    }

    /// Connects a reader, whose handler is made on the readers' shard.
    func connect(to address: SocketAddress, _ makeHandler: @escaping @Sendable () -> any WebSocketHandler) throws {
        let target = WebSocketConnector.Target(url: try WebSocketURL("ws://\(address)"))
        readers.post { on in
            WebSocketConnector.connect(target, handler: makeHandler(), on) { failure, _ in Issue.record(failure) }
        }
    }

    func stop() async {
        for shard in [server, readers] {
            await withCheckedContinuation { continuation in shard.stop { continuation.resume() } }
        }
    }
}
