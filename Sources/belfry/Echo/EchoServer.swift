import Transport

/// The socket engine with an echo in place of the gateway.
final class EchoServer: Sendable {
    /// With the port that the kernel chose for port 0.
    let address: SocketAddress
    private let shards: ShardGroup
    private let services: [QueueBound<EchoService>]

    /// Starts to accept on `shardCount` shards that share the port.
    ///
    /// - Parameter tls: encrypts all connections; nil for plain bytes.
    /// - Throws: `SystemCallError` if the address cannot be used.
    init(listen: SocketAddress, shardCount: Int, tls: TLSServer?, options: EchoOptions) throws {
        shards = try ShardGroup(count: shardCount, poller: options.poller)
        var sockets = [try Listener.open(listen, sharingPort: shardCount > 1)]
        address = sockets[0].address
        for _ in 1..<shardCount { sockets.append(try Self.sibling(of: sockets[0])) }
        services = shards.shards.map { QueueBound(EchoService(options), on: $0.queue) }
        for (index, socket) in sockets.enumerated() {
            shards.shards[index].post { [service = services[index]] on in
                // The shard keeps the listener.
                _ = Listener(socket, serving: HTTPEndpoint(service.withState { $0 }, tls: tls), on: on)
            }
        }
    }

    /// One more listening socket for the address; the kernel spreads connections over the sockets of a TCP port.
    private static func sibling(of first: ListeningSocket) throws(SystemCallError) -> ListeningSocket {
        switch first.address {
        case .tcp: try Listener.open(first.address, sharingPort: true)
        case .unix: try first.duplicate()
        }
    }

    /// Sends each WebSocket a close frame and ends.
    func stop() async {
        for (shard, service) in zip(shards.shards, services) {
            shard.post { on in service.withState { $0 }.leave(on) }
        }
        // Close frames that were posted to the shards are still sent.
        await withCheckedContinuation { continuation in shards.stop { continuation.resume() } }
    }
}
