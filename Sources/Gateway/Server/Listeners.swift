import Transport
import WireProtocol

/// The three listeners and who serves them on each shard.
final class Listeners: Sendable {
    let addresses: Server.Addresses
    private let hub: LiveHub
    private let limits: HTTPLimits
    /// Each shard's listeners that close when the node leaves.
    private let open: [QueueBound<[Listener]>]

    /// Binds all addresses before any listener accepts: either all are there or the start fails.
    init(node: Node, hub: LiveHub) throws {
        let settings = node.settings
        self.hub = hub
        limits = HTTPLimits(settings.limits)
        open = hub.members.map { QueueBound([], on: $0.shard.queue) }
        let local = try Listener.open(.unix(path: settings.socketPath), mode: settings.socketMode.bits)
        let ops = try Listener.open(settings.ops)
        // The first decides the port where the kernel is to choose one; the others share it.
        var publicSockets = [try Listener.open(settings.listen, sharingPort: true)]
        for _ in hub.members.dropFirst() {
            publicSockets.append(try Listener.open(publicSockets[0].address, sharingPort: true))
        }
        addresses = Server.Addresses(listen: publicSockets[0].address, ops: ops.address, socket: local.address)
        for (index, socket) in publicSockets.enumerated() {
            let live = hub.members[index].live
            listen(socket, onShard: index) { PublicService(node: node, live: live.withState { $0 }) }
        }
        // A Unix socket has no sharing of its own: all shards watch the same one, and the first to come accepts.
        for index in hub.members.indices {
            let socket = index == 0 ? local : try local.duplicate()
            listen(socket, onShard: index, isLocal: true) { LocalService(node: node) }
        }
        let shards = hub.members.map(\.shard)
        listen(ops, onShard: 0, staysOpen: true) { OpsService(node: node, shards: shards) }
    }

    /// - Parameters:
    ///   - staysOpen: accepts while the node leaves, too, until its shard ends.
    ///   - makeService: called once, on the shard.
    private func listen(
        _ socket: ListeningSocket, onShard index: Int, isLocal: Bool = false, staysOpen: Bool = false,
        _ makeService: @escaping @Sendable () -> any HTTPService
    ) {
        let (list, limits) = (open[index], limits)
        hub.members[index].shard.post { on in
            let service = makeService()
            let listener = Listener(socket, on: on) { descriptor, on in
                HTTPConnection.open(descriptor, service: service, isLocal: isLocal, limits: limits, on)
            }
            if !staysOpen { list.withState { $0.append(listener) } }
        }
    }

    /// Stops accepting, but for operators, whose probes must hear that the node leaves.
    func close() {
        for (member, list) in zip(hub.members, open) {
            member.shard.post { on in
                for listener in list.withState({ $0 }) { listener.close(on) }
            }
        }
    }
}

extension HTTPLimits {
    fileprivate init(_ limits: Settings.Limits) {
        self.init(
            headBytes: limits.headBytes, bodyBytes: limits.bodyBytes, headTimeout: limits.headTimeout,
            bodyTimeout: limits.bodyTimeout, idleTimeout: limits.idleTimeout)
    }
}
