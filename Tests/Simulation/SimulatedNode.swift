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
    let store: MemoryStore
    private let timeline: Timeline
    let disk: SimulatedDisk
    let clock: SimulatedClock
    private let core: NodeCore
    private let endpoints: Endpoints
    /// The last one is the push lanes'.
    private let pollers: [SimulatedPoller]
    private var isTurnComing: [Bool]
    private var links: [Link] = []
    private(set) var isDead = false
    private var clientHTTP: [HTTPEndpoint] = []
    private var publisherHTTP: [HTTPEndpoint] = []
    private var nextShard = 0

    /// - Parameters:
    ///   - earlier: the node before it on the same disk.
    ///   - writes: how long one takes, in microseconds.
    init(
        _ timeline: Timeline, _ settings: Settings, _ authenticator: Authenticator, _ catalogs: LoadedCatalogs,
        after earlier: SimulatedNode?, writes: ClosedRange<Int64>, _ ledger: Ledger, _ mistake: Mistake?,
        deliver: @escaping @MainActor (PushMessage, Device, @escaping @Sendable (Verdict) -> Void) -> Void
    ) throws {
        self.timeline = timeline
        disk = SimulatedDisk(timeline, latency: writes)
        pollers = (0..<3).map { SimulatedPoller(shardOf: $0, timeline) }
        isTurnComing = pollers.map { _ in false }
        let presence = Presence(maximumSessionsPerUser: settings.limits.sessionsPerUser)
        let now: @Sendable () -> Timestamp = { MainActor.assumeIsolated { timeline.wallClock } }
        let chance: @Sendable () -> Double = { MainActor.assumeIsolated { timeline.fraction() } }
        clock = SimulatedClock(timeline, last: earlier?.store.state.clock, isFollowing: mistake != .setClock)
        let time: @Sendable () -> Timestamp = { [clock] in MainActor.assumeIsolated { clock.now } }
        var rules = StoreOptions(
            makeEpoch: { MainActor.assumeIsolated { "epoch-\(timeline.random.next())" } },
            isLive: { user in presence.isLive(user, at: MainActor.assumeIsolated { timeline.instant }) },
            isConnected: { presence.isConnected($0) })
        rules.clock = time
        rules.grace = settings.push.grace
        rules.changeLogLength = 60
        rules.maximumRows = 200
        presence.settle(from: timeline.instant, for: earlier == nil ? .zero : Settling.span)
        store = MemoryStore(rules, continuing: earlier?.store, executor: disk)
        disk.isQuick = true
        clock.start(store)
        disk.isQuick = false
        let node = Node(
            settings: settings, store: store, authenticator: authenticator, catalogs: catalogs, presence: presence,
            metrics: Metrics(settings.services.providers, namedApps: []), logger: Self.silent, now: now, chance: chance)
        let lanes = pollers[2]
        let noticed = Noticed()
        core = NodeCore(
            node, on: ShardGroup(pollers[..<2].map(\.shard)),
            dispatcher: PushDispatcher(
                store: WatchedQueue(store, ledger, mistake), providers: ProviderList([.apns]),
                senders: [.apns: SimulatedService(on: lanes.shard, deliver: deliver)],
                options: .init(), metrics: node.metrics, logger: Self.silent, now: time,
                timer: { MainActor.assumeIsolated { SimulatedTimer(timeline) { noticed.body() } } }, chance: chance))
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

    /// A closure that a lane's timer calls, set once there is a node.
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
        link.arrived = { [weak self] in self?.giveTurns() }
        giveTurns()
        return link
    }

    // MARK: Turns

    /// Has each shard with work take a turn soon. To be called after anything that may give a shard work.
    func giveTurns() {
        guard !isDead else { return }
        for link in links { link.pump() }
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
        timeline.after(delay) { [weak self] in
            guard let self, !isDead else { return }
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
        timeline.after(delay) { [weak self] in
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

    /// As `kill -9`: nothing that waits happens, and no connection is there any more.
    func die() {
        guard !isDead else { return }
        isDead = true
        disk.die()
        clock.stop()
        for link in links { timeline.chance(4) ? link.forget() : link.cut() }
        links = []
        core.dispatcher.stop()
        for poller in pollers {
            poller.shard.stop {}
            poller.turn()
        }
    }
}
