import Synchronization
import Transport
import WireProtocol

/// The listeners for clients and publishers on all shards, with their services.
final class Listeners: Sendable {
    let admission: Admission
    private let hub: LiveHub
    /// Those that others on the network connect to.
    private let remoteListeners: [QueueBound<[Listener]>]
    private let publishListeners: [QueueBound<[Listener]>]
    private let remoteCount: Atomic<Int>
    private let publishCount: Atomic<Int>

    /// Starts to accept.
    init(
        _ hub: LiveHub, serving endpoints: Endpoints, admission: Admission, clients: ShardSockets,
        publishers: ShardSockets, remotePublishers: ShardSockets?
    ) {
        self.hub = hub
        self.admission = admission
        remoteListeners = hub.members.map { QueueBound([], on: $0.shard.queue) }
        publishListeners = hub.members.map { QueueBound([], on: $0.shard.queue) }
        remoteCount = Atomic(hub.members.count)
        publishCount = Atomic(hub.members.count)
        for (index, member) in hub.members.enumerated() {
            let (clientSocket, publisherSocket) = (clients.sockets[index], publishers.sockets[index])
            let remoteSocket = remotePublishers?.sockets[index]
            member.shard.post { [self] on in
                let publicListener = Listener(clientSocket, serving: endpoints.clients(on), for: .clients, on: on)
                remoteListeners[index].withState { $0.append(publicListener) }
                let publishListener = Listener(
                    publisherSocket, serving: endpoints.publishers(), for: .publishers, on: on)
                publishListeners[index].withState { $0.append(publishListener) }
                if let remoteSocket, let endpoint = endpoints.remotePublishers() {
                    let listener = Listener(remoteSocket, serving: endpoint, for: .clients, on: on)
                    remoteListeners[index].withState { $0.append(listener) }
                }
            }
        }
    }

    // MARK: Leaving

    /// On how many shards others on the network may still be accepted.
    var openRemoteCount: Int { remoteCount.load(ordering: .relaxed) }
    /// How many listeners of the Unix socket are not closed yet.
    var openPublishCount: Int { publishCount.load(ordering: .relaxed) }

    /// Stops accepting, but turns away no connection that has begun. To be called once.
    func leave() {
        for (index, member) in hub.members.enumerated() {
            member.shard.post { [self] on in
                for listener in publishListeners[index].withState({ $0 }) { listener.close(on) }
                publishCount.subtract(1, ordering: .relaxed)
                for listener in remoteListeners[index].withState({ $0 }) {
                    listener.leave(on)
                }
                // The listener is closed a tick or two of the wheel later.
                on.shard.schedule(at: on.now + Listener.leavingTime + .milliseconds(50), on) { [self] _ in
                    remoteCount.subtract(1, ordering: .relaxed)
                }
            }
        }
    }
}
