import Dispatch
import Inbox
package import Logging
import Push
import Store
package import Transport
import WireProtocol

/// A running Belfry: store, shards, listeners and fallback, started in an order in which each finds what it needs, and
/// stopped by ``Leaving``.
package final class Server: Sendable {
    /// The listeners' addresses, with the ports that the kernel chose.
    package struct Addresses: Sendable {
        package let listen: SocketAddress
        package let ops: SocketAddress
        package let socket: SocketAddress
        /// Of publishers on other machines; nil without such a listener.
        package let publishing: SocketAddress?
    }

    package let node: Node
    package let addresses: Addresses
    package let pulse: Pulse
    let edge: Edge
    let publishingEdge: PublishingEdge?
    private let core: NodeCore
    package var shardCount: Int { core.shards.shards.count }
    var dispatcher: PushDispatcher { core.dispatcher }
    /// Takes requests to read files again; a task of the program has to run it.
    package var reloads: Reloads { core.reloads }
    private let ageing: DeviceAgeing
    private let inboxAgeing: InboxAgeing
    /// Nil if nothing is taken from an outbox.
    private let outbox: OutboxReader?
    private let listeners: Listeners
    private let ops: OpsListener
    private let clock: NodeClock
    private let keys: KeyFetching
    /// Nil unless the server was started with the demo.
    package let development: Development?

    /// Starts everything; when it returns, the listeners accept.
    package convenience init(
        _ settings: Settings, logger: Logger, options: StartOptions = StartOptions()
    ) async throws {
        if settings.isDevelopment { try Development.check(settings, options) }
        let catalogs = try LoadedCatalogs.read(settings.catalogs, apps: settings.namedApps)
        for warning in catalogs.warnings { logger.warning("\(warning)") }
        if catalogs.sources.isEmpty { logger.warning("no catalog is set: all events will be refused") }
        let endpoints = try WebhookEndpoint.all(of: settings)
        let edge = try Edge(settings)
        let publishingEdge = try PublishingEdge(settings, beside: edge)
        var sockets = try ServerSockets(settings, options, count: Self.shardCount(settings))
        var (settings, development): (Settings, Development?) = (settings, nil)
        do {
            let presence = Presence(maximumSessionsPerUser: settings.limits.sessionsPerUser)
            let authenticator = try await Authenticator(settings)
            // Before any client is served: its token may be of a provider.
            let keys = KeyFetching(authenticator, logger: logger)
            try await keys.begin(needed: Set(settings.providers.filter(\.value.neededAtStart).keys))
            let signIn = try await ConsoleSignIn(settings, logger: logger, now: { WallClock.now })
            // After the authenticator, which creates the folder and checks its owner.
            if options.hasDemo { development = try Development(&settings) }
            let senders = try await settings.services.makeSenders(
                settings.push,
                SenderTools(poller: settings.poller.kind, logger: logger, now: { WallClock.now }))
            let metrics = Metrics(
                settings.services.providers, namedApps: settings.namedApps, droppedLogLines: options.droppedLogLines)
            let failures = StoreFailures(metrics: metrics, logger: logger, now: { WallClock.now })
            let tracer = try Tracer(settings, counters: metrics.traces, logger: logger)
            let clock = NodeClock()
            let opened = try await StoreOpening(
                settings: settings, presence: presence, failures: failures, tracer: tracer, clock: clock,
                waits: options.takesOver, logger: logger
            ).open()
            let store = opened.store
            // Before any client is served, and before a push leaves.
            var jump: ClockJump?
            if opened.clock == nil {
                jump = await clock.goOn(from: store.lastClock) { store.follow($0, completion: $1) }
            }
            // From then on by commits, which are heard before any client is served.
            authenticator.revoked.add(try await Self.revocations(in: store))
            try sockets.openOthers(settings, options, logger)
            let time = opened.clock ?? { clock.now }
            // A database's clock is never set, as far as pushes go.
            let isOwnClock = opened.clock == nil
            let clockMoved: @Sendable () -> Duration = { isOwnClock ? clock.moved : .zero }
            let webhooks = try WebhookSender(
                endpoints, store: store, keep: settings.webhooks.keep, logger: logger, now: time,
                clockMoved: clockMoved)
            let node = Node(
                settings: settings, store: store, releaseStore: opened.release, authenticator: authenticator,
                catalogs: catalogs,
                presence: presence, metrics: metrics, logger: logger, storeFailures: failures,
                tracer: tracer, webhooks: webhooks,
                activities: ActivitySender(senders, store: store, logger: logger, now: time),
                now: { WallClock.now })
            try self.init(
                node, edge, publishingEdge, senders, sockets, clock, keys, time: time, clockMoved: clockMoved,
                opened.outbox, development, signIn)
            if let jump { Self.tell(jump, logger) }
            if opened.clock == nil { Self.start(clock, node, dispatcher) } else { Self.watch(clock, node) }
        } catch {
            sockets.close()
            development?.stop {}
            throw error
        }
    }

    private init(
        _ node: Node, _ edge: Edge, _ publishingEdge: PublishingEdge?, _ senders: [Device.Provider: any PushSender],
        _ sockets: ServerSockets, _ clock: NodeClock, _ keys: KeyFetching, time: @escaping @Sendable () -> Timestamp,
        clockMoved: @escaping @Sendable () -> Duration,
        _ outbox: (any Outbox)?, _ development: Development?, _ signIn: ConsoleSignIn?
    ) throws {
        guard let publishers = sockets.publishers else { preconditionFailure("the others are opened first") }
        self.node = node
        self.edge = edge
        self.publishingEdge = publishingEdge
        self.clock = clock
        self.keys = keys
        self.development = development
        let settings = node.settings
        let shards = try ShardGroup(count: sockets.clients.sockets.count, poller: settings.poller.kind)
        pulse = Pulse(of: shards.shards)
        let core = NodeCore(
            node, on: shards,
            dispatcher: PushDispatcher(
                store: node.store, providers: settings.services.providers, senders: senders,
                options: .init(concurrency: settings.push.concurrency), metrics: node.metrics, logger: node.logger,
                tracer: node.tracer, now: time, clockMoved: clockMoved),
            questions: QuestionSettler(store: node.store, now: node.now),
            certificates: Certificate.all(of: settings, edge, publishingEdge))
        self.core = core
        ops = try OpsListener(
            node: node, edge: edge, publishingEdge: publishingEdge, clientShards: shards, signIn: signIn
        ) { core.publishingService }
        core.hearCommits()
        ops.start(sockets.operators)
        ageing = DeviceAgeing(
            devices: node.store, age: settings.push.deviceAge, logger: node.logger,
            isOnDuty: { [store = node.store] in store.isOnDuty }, now: node.now)
        inboxAgeing = InboxAgeing(node: node)
        self.outbox = outbox.flatMap { OutboxReader($0, node, core.broadcaster) }
        let demo = development.map {
            Demo(
                node: node, broadcaster: core.broadcaster, development: $0, socket: publishers.address.description)
        }
        listeners = Listeners(
            core.hub, serving: Endpoints(core, edge: edge, publishingEdge: publishingEdge, demo: demo),
            admission: edge.admission, clients: sockets.clients, publishers: publishers,
            remotePublishers: sockets.remotePublishers)
        addresses = Addresses(
            listen: sockets.clients.address, ops: sockets.operators?.address ?? settings.ops,
            socket: publishers.address, publishing: sockets.remotePublishers?.address)
        core.resume()
        self.outbox?.start()
        keys.start { core.hub.keysChanged() }
        node.webhooks?.start()
        node.activities?.start()
    }

    private static func revocations(in store: any Store) async throws -> [Revocation] {
        do {
            return try await withCheckedThrowingContinuation { waiting in
                store.revocations { waiting.resume(with: $0) }
            }
        } catch {
            // Otherwise revoked tokens would open inboxes.
            throw ServerError("the store does not tell which tokens were revoked: \(error)")
        }
    }

    /// Leaves in good order: readiness fails, listeners close, and each session is told its own moment to come back.
    /// Accepted work is stored and answered, then the data folder is released at once. To be called once.
    ///
    /// - Parameters:
    ///   - reason: for the log.
    ///   - completion: runs when nothing runs any more, at the latest a few seconds after `drain.deadline`.
    package func stop(reason: String = "asked to", completion: @escaping @Sendable () -> Void) {
        let parts = Leaving.Parts(
            node: node, hub: core.hub, shards: core.shards, listeners: listeners, dispatcher: dispatcher)
        clock.stop()
        keys.stop()
        ageing.stop()
        inboxAgeing.stop()
        node.webhooks?.stop()
        node.activities?.stop()
        core.questions?.stop()
        // While sessions leave, this node may still be the one on duty, so it goes on until the store is closed.
        Leaving.begin(parts, reason: reason) { [outbox, dispatcher, ops, development, node] in
            outbox?.stop()
            let rest: @Sendable () -> Void = {
                ops.stop {
                    guard let development else { return completion() }
                    development.stop(completion: completion)
                }
            }
            let traces: @Sendable () -> Void = {
                if let tracer = node.tracer { tracer.close(completion: rest) } else { rest() }
            }
            // After the last verdict on a push.
            dispatcher.close {
                if let webhooks = node.webhooks { webhooks.close(completion: traces) } else { traces() }
            }
        }
    }
}
