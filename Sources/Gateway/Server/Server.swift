import Dispatch
package import Inbox
package import Logging
import Push
import Storage
package import Transport
import WireProtocol

/// A running Belfry: store, shards, listeners and fallback, started in an order in which each finds what it needs, and
/// stopped in the reverse.
package final class Server: Sendable {
    /// Where the listeners are, with the ports that the kernel chose.
    package struct Addresses: Sendable {
        package let listen: SocketAddress
        package let ops: SocketAddress
        package let socket: SocketAddress
    }

    /// How long requests that have begun may take to end.
    private static let finishTimeout = Duration.seconds(2)

    package let node: Node
    package let addresses: Addresses
    private let shards: ShardGroup
    private let hub: LiveHub
    private let dispatcher: PushDispatcher
    private let listeners: Listeners

    /// Starts everything; when it returns, the listeners accept.
    package init(_ settings: Settings, catalogs: CatalogSet, logger: Logger) async throws {
        let senders = try await Self.senders(settings, logger: logger)
        let presence = Presence(maximumSessionsPerUser: settings.limits.sessionsPerUser)
        let metrics = Metrics()
        let authenticator = try await Authenticator(settings)
        let now: @Sendable () -> Timestamp = { WallClock.now }
        let store = try Self.store(settings, presence: presence)
        node = Node(
            settings: settings, store: store, authenticator: authenticator, catalogs: catalogs, presence: presence,
            metrics: metrics, logger: logger, now: now)
        shards = try ShardGroup(
            count: Self.shardCount(settings), poller: settings.poller.kind)
        hub = LiveHub(shards: shards.shards, node: node)
        dispatcher = PushDispatcher(
            store: store, senders: senders, options: .init(concurrency: settings.push.concurrency), metrics: metrics,
            logger: logger, now: now)
        store.onCommit { [hub, dispatcher, metrics] commit in
            metrics.commits.add()
            metrics.changes.add(commit.inboxes.count)
            hub.deliver(commit)
            if let due = commit.nextPushDue { dispatcher.expect(due) }
        }
        listeners = try Listeners(node: node, hub: hub)
        addresses = listeners.addresses
        dispatcher.start()
    }

    /// Leaves in good order: readiness fails, listeners close, sessions are told to come back, what was taken in is
    /// stored and answered. `completion` runs when nothing runs any more, at the latest when `deadline` has passed and
    /// the store has closed.
    package func stop(within deadline: Duration = .seconds(10), completion: @escaping @Sendable () -> Void) {
        node.leave()
        dispatcher.stop()
        listeners.close()
        hub.drain(over: .seconds(2))
        let hasNoSessions: @Sendable () -> Bool = { [node] in node.metrics.sessions.level == 0 }
        let hasNoConnections: @Sendable () -> Bool = { [shards] in shards.connectionCount == 0 }
        wait(for: hasNoSessions, until: .now + deadline) { [self] in
            shards.leave()
            wait(for: hasNoConnections, until: .now + Self.finishTimeout) { [self] in
                node.store.close { [self] in shards.stop(completion: completion) }
            }
        }
    }

    private func wait(
        for condition: @escaping @Sendable () -> Bool, until deadline: ContinuousClock.Instant,
        then body: @escaping @Sendable () -> Void
    ) {
        guard !condition(), ContinuousClock.now < deadline else { return body() }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { [self] in
            wait(for: condition, until: deadline, then: body)
        }
    }
}
