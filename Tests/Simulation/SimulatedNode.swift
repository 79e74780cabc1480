import Cluster
import Gateway
import Inbox
import Logging
import Push
import ReferenceStore
import Store
import Support
import Transport
import WireProtocol

/// One process of Belfry: the program's own sessions, services, push lanes and rules, over simulated sockets, time and
/// disk. It may die at any moment.
@MainActor
final class SimulatedNode {
    /// What a node has around it.
    struct Surroundings {
        let timeline: Timeline
        let parts: Parts
        /// How long a write takes, in microseconds.
        let writes: ClosedRange<Int64>
        let ledger: Ledger
        let mistake: Mistake?
        let deliver: @MainActor (PushMessage, Device, @escaping @Sendable (Verdict) -> Void) -> Void
    }

    /// A database that nodes share.
    struct Sharing {
        let database: MemoryDatabase
        let bus: SimulatedBus
        /// Nil for nodes that listen.
        let mailInterval: Duration?
    }

    let store: MemoryStore
    private let timeline: Timeline
    let process: SimulatedProcess
    let disk: SimulatedDisk
    let clock: SimulatedClock
    /// Nil for a node that has its store for itself.
    let cluster: ClusterNode?
    private let core: NodeCore
    private let endpoints: Endpoints
    /// The last one is the push lanes'.
    private let pollers: [SimulatedPoller]
    private var isTurnComing: [Bool]
    private var links: [Link] = []
    private var clientHTTP: [HTTPEndpoint] = []
    private var publisherHTTP: [HTTPEndpoint] = []
    private var nextShard = 0
    /// The number under which it joined the others first.
    private let firstNumber: Int64

    /// - Parameters:
    ///   - sharing: nil for a node that has its store for itself.
    ///   - earlier: the node before it, on the same disk.
    init(_ around: Surroundings, sharing: Sharing?, after earlier: SimulatedNode?) throws {
        let (timeline, settings, mistake) = (around.timeline, around.parts.settings, around.mistake)
        let process = SimulatedProcess(timeline)
        (self.timeline, self.process) = (timeline, process)
        disk = SimulatedDisk(process, latency: around.writes)
        pollers = (0..<3).map { SimulatedPoller(shardOf: $0, timeline) }
        isTurnComing = pollers.map { _ in false }
        let presence = Presence(maximumSessionsPerUser: settings.limits.sessionsPerUser)
        let now: @Sendable () -> Timestamp = { MainActor.assumeIsolated { timeline.wallClock } }
        let chance: @Sendable () -> Double = { MainActor.assumeIsolated { timeline.fraction() } }
        clock = SimulatedClock(process, last: earlier?.store.database.state.clock, isFollowing: mistake != .setClock)
        let ownClock: @Sendable () -> Timestamp = { [clock] in MainActor.assumeIsolated { clock.now } }
        let time = sharing?.database.clock ?? ownClock
        var rules = StoreOptions(
            makeEpoch: { MainActor.assumeIsolated { "epoch-\(timeline.random.next())" } },
            isLive: { user in presence.isLive(user, at: MainActor.assumeIsolated { timeline.instant }) },
            isConnected: { presence.isConnected($0) })
        let clockMoved: @Sendable () -> Duration = { [clock] in MainActor.assumeIsolated { clock.moved } }
        (rules.clock, rules.clockMoved) = (time, clockMoved)
        rules.grace = settings.push.grace
        rules.changeLogLength = Parts.changeLogLength
        rules.maximumRows = 200
        let noticed = Noticed()
        var hasOthers = false
        if let sharing {
            let host = SimulatedHost(
                process, sharing.database, sharing.bus, disk, mailInterval: sharing.mailInterval,
                looks: mistake != .blindNode)
            host.noticed = { noticed.body() }
            let cluster = ClusterNode("simulated", rules, on: host, meter: NodeMeter(at: timeline.instant))
            hasOthers = try cluster.start()
            self.cluster = cluster
            store = MemoryStore(rules, sharing: sharing.database, executor: disk, cluster: cluster)
        } else {
            cluster = nil
            store = MemoryStore(rules, continuing: earlier?.store, executor: disk)
            disk.isQuick = true
            clock.start(store)
            disk.isQuick = false
        }
        firstNumber = cluster?.node ?? 0
        presence.settle(from: timeline.instant, for: earlier == nil || hasOthers ? .zero : Settling.span)
        let node = Node(
            settings: settings, store: store, authenticator: around.parts.authenticator,
            catalogs: around.parts.catalogs, presence: presence,
            metrics: Metrics(settings.services.providers, namedApps: []), logger: Self.silent, now: now, chance: chance)
        let lanes = pollers[2]
        let service = SimulatedService(on: lanes.shard) { message, device, completion in
            around.deliver(message, device) { verdict in
                MainActor.assumeIsolated {
                    process.after(0) {
                        completion(verdict)
                        noticed.body()
                    }
                }
            }
        }
        core = NodeCore(
            node, on: ShardGroup(pollers[..<2].map(\.shard)),
            dispatcher: PushDispatcher(
                store: WatchedQueue(store, disk, around.ledger, mistake), providers: ProviderList([.apns]),
                senders: [.apns: service], options: .init(), metrics: node.metrics, logger: Self.silent, now: time,
                clockMoved: clockMoved,
                timer: { MainActor.assumeIsolated { SimulatedTimer(process) { noticed.body() } } }, chance: chance))
        clock.followed = { [core] in core.dispatcher.move(by: $0) }
        endpoints = try Endpoints(core)
        core.hearCommits()
        if mistake == .unheardCommit { disk.hearsCommit = { !timeline.chance(40) } }
        noticed.body = { [weak self] in self?.giveTurns() }
        disk.noticed = { [weak self] in self?.giveTurns() }
        for poller in pollers[..<2] {
            poller.enter { on in clientHTTP.append(endpoints.clients(on)) }
            publisherHTTP.append(endpoints.publishers())
        }
        core.resume()
        giveTurns()
    }

    /// A closure that timers and the queue of the cluster call, set once there is a node.
    @MainActor
    private final class Noticed { var body: () -> Void = {} }

    private static let silent: Logger = {
        var logger = Logger(label: "simulated") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        return logger
    }()

    // MARK: Connections

    /// A client's or a publisher's connection.
    func connect(latency: ClosedRange<Int64>, isPublisher: Bool = false) -> Link {
        nextShard = 1 - nextShard
        let link = Link(timeline, latency: latency) { descriptor in
            pollers[nextShard].enter { on in
                HTTPConnection.open(descriptor, at: (isPublisher ? publisherHTTP : clientHTTP)[nextShard], on)
            }
        }
        links.removeAll { !$0.isOpen }
        links.append(link)
        link.node = self
        link.arrived = { [weak self] in self?.giveTurns() }
        giveTurns()
        return link
    }

    // MARK: Turns

    /// Has each shard with work take a turn soon. To be called after anything that may give a shard work.
    func giveTurns() {
        guard !process.isDead else { return }
        // The system passes bytes on to a process that is stopped, too.
        for link in links { link.pump() }
        guard !process.isStopped else { return }
        for index in pollers.indices where !isTurnComing[index] {
            if pollers[index].hasWork {
                giveTurn(to: index, after: timeline.microseconds(0...300))
            } else if let alarm = pollers[index].alarm {
                let delay = Int64((alarm - timeline.instant) / .microseconds(1))
                wake(index, after: max(delay, 0) + 1)
            }
        }
    }

    private func giveTurn(to index: Int, after delay: Int64) {
        isTurnComing[index] = true
        process.after(delay) { [weak self] in
            guard let self else { return }
            isTurnComing[index] = false
            pollers[index].turn()
            giveTurns()
        }
    }

    /// When each shard is looked at for its timer; later settings replace earlier ones.
    private var wakes: [Int: Int64] = [:]

    private func wake(_ index: Int, after delay: Int64) {
        let time = timeline.elapsed + delay
        if let set = wakes[index], set <= time, set > timeline.elapsed { return }
        wakes[index] = time
        process.after(delay) { [weak self] in
            guard let self, wakes[index] == time else { return }
            wakes[index] = nil
            giveTurns()
        }
    }

    // MARK: The end

    /// Whether it has closed a session that took nothing.
    var hasClosedSlow: Bool { core.node.metrics.closes(with: .slow).count > 0 }
    /// Whether it has closed a session that said nothing.
    var hasClosedSilent: Bool { core.node.metrics.closes(with: .noPong).count > 0 }

    /// Whether news were found that no message had told of.
    var hasFoundLostNews: Bool { (cluster?.bus.lostWakeUps ?? 0) > 0 }

    /// Whether others had given it up, so that it has joined them once more.
    var hasComeAgain: Bool { cluster.map { $0.node != firstNumber } ?? false }

    /// As `kill -9`: nothing that waits happens, and no connection is there any more.
    func die() {
        guard !process.isDead else { return }
        process.die()
        clock.stop()
        for link in links { timeline.chance(4) ? link.forget() : link.cut() }
        links = []
        core.dispatcher.stop()
        for poller in pollers {
            poller.shard.stop {}
            poller.turn()
        }
        // The store and the node hold each other by these.
        store.onCommit({ _ in }, tell: { _ in }, within: { $0() })
        store.onQuestion { _, _ in }
        store.onDuty {}
        clock.followed = { _ in }
    }
}
