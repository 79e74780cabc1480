import Dispatch
import Inbox
import Postgres
import Push
import Store
import Synchronization

/// This process among those that share the database: its lease, what its sessions watch, and what nodes tell each other.
///
/// It has a connection and a queue of its own. Nothing that it does is needed for a commit, and each message may be
/// lost: nodes ask the database how far things have come, now and then and after each trouble.
final class ClusterNode: Sendable {
    /// Commits that come within this time are told together.
    private static let gathering = DispatchTimeInterval.milliseconds(2)
    static let beat = Duration.seconds(1)
    /// A node that was held up for longer asks for everything.
    static let longestPause = Duration.seconds(3)

    /// What waits for the queue.
    struct Gathered {
        var opening: [NewsSubject] = []
        var closing: [NewsSubject] = []
        var commits: [Commit] = []
        /// For the nodes with these channels.
        var messages: [(node: Int64?, channel: String, text: String)] = []
        var hasNotes = false
        var isFlushSet = false
    }

    struct State: ~Copyable {
        var connection: PostgresConnection?
        /// 0 before the node is registered.
        var node: Int64 = 0
        var channel = ""
        var pace = ReconnectPace()
        var notes: NodeNotes?
        /// The living nodes, as of the last beat.
        var living: Set<Int64> = []
        var lastBeat = ContinuousClock.now
        /// How many beats there were.
        var beats = 0
        var isStopped = false
        var timers: [any DispatchSourceTimer] = []
        /// Whether something has failed since the last flush that succeeded.
        var isLost = false
        /// Whether a moment is set at which it is tried again.
        var isRetrySet = false
    }

    let address: PostgresAddress
    let options: PostgresStoreOptions
    let bus: ClusterBus
    let readers: PostgresPool
    let clock: DatabaseClock
    let meter: NodeMeter
    let queue = DispatchQueue(label: "belfry.postgres.node")
    /// Touched on the queue alone. The mutex says so to the compiler, and nobody ever waits for it.
    let state = Mutex(State())
    private let gathered = Mutex(Gathered())
    let listener = Mutex<PostgresNotifications?>(nil)
    let beatWatch = Mutex(BeatWatch())
    let search: NewsSearch
    let questions = NodeQuestions()
    private let duty = Mutex<@Sendable () -> Void>({})
    private let isCaretaker = Atomic(false)
    /// The number under which this node writes notes.
    private let number = Atomic<Int64>(0)

    /// The node's number.
    var node: Int64 { number.load(ordering: .relaxed) }

    init(
        _ address: PostgresAddress, _ options: PostgresStoreOptions, readers: PostgresPool, clock: DatabaseClock,
        meter: NodeMeter
    ) {
        (self.address, self.options, self.readers) = (address, options, readers)
        (self.clock, self.meter) = (clock, meter)
        bus = ClusterBus()
        search = NewsSearch(bus: bus, readers: readers, options: options)
        search.restarted = { [weak self] subject in self?.gather { $0.opening.append(subject) } }
    }

    /// Joins the others.
    ///
    /// - Returns: whether there are others with a lease.
    /// - Throws: a failure of PostgreSQL.
    func start() throws -> Bool {
        try queue.sync {
            try state.withLock { state in
                let connection = try connect(&state)
                let hasOthers = try NodeTable.living(on: connection).leased > 1
                setTimer(&state, every: Self.beat) { [weak self] in self?.beatNow() }
                return hasOthers
            }
        }
    }

    func stop(_ completion: @escaping @Sendable () -> Void) {
        let notifications = listener.withLock { $0.take() }
        let finish: @Sendable () -> Void = { [self] in
            queue.async { [self] in
                state.withLock { state in
                    state.isStopped = true
                    // Whoever takes over notices the end of the lease if this fails.
                    if let connection = state.connection { try? NodeTable.leave(state.node, on: connection) }
                    for timer in state.timers { timer.cancel() }
                    state.timers = []
                    state.connection?.close()
                    state.connection = nil
                }
                completion()
            }
        }
        if let notifications { notifications.stop(finish) } else { finish() }
    }

    // MARK: Work for all

    /// Whether this node does the work that one does for all.
    var isOnDuty: Bool { isCaretaker.load(ordering: .relaxed) }

    /// What this node's operator is told.
    var figures: NodeFigures { meter.figures(isCaretaker: isOnDuty, lostWakeUps: bus.lostWakeUps) }

    func onDuty(_ body: @escaping @Sendable () -> Void) { duty.withLock { $0 = body } }

    func take(duty isTaken: Bool) {
        isCaretaker.store(isTaken, ordering: .relaxed)
        if isTaken { duty.withLock { $0 }() }
    }

    // MARK: The connection

    /// The connection, made anew if it was lost. On the queue.
    @discardableResult
    func connect(_ state: inout State) throws -> PostgresConnection {
        if let connection = state.connection, connection.isOpen { return connection }
        let connection = try PostgresConnection(address, options.connection)
        // Nothing that this connection writes has to outlive a crash of the server, except for notes, which others write.
        try connection.run("SET synchronous_commit = off")
        try clock.look(on: connection)
        state.connection = connection
        state.pace.connected(at: .now)
        if state.node == 0 {
            try register(&state, on: connection)
        } else {
            // Where the server has crashed, or another one has taken over, what nodes watch is gone: no log has it.
            try watchAgain(state.node, on: connection)
        }
        return connection
    }

    /// Becomes a new node, which watches all that the earlier one has watched.
    func register(_ state: inout State, on connection: PostgresConnection) throws {
        let channel = "belfry_" + options.rules.makeEpoch()
        let node = try NodeTable.register(name: options.node, channel: channel, on: connection)
        (state.node, state.channel, state.lastBeat) = (node, channel, .now)
        number.store(node, ordering: .relaxed)
        if state.notes == nil {
            state.notes = try NodeNotes(node: node, providers: options.rules.providers, on: connection)
        }
        try watchAgain(node, on: connection)
        hear(&state, node, channel)
    }

    private func watchAgain(_ node: Int64, on connection: PostgresConnection) throws {
        let watched = bus.watched
        if !watched.isEmpty { try NodeTable.watch(watched, node, on: connection) }
    }

    /// Notes a failure, and tries again later: with a new connection, if this one has ended.
    func lose(_ state: inout State) {
        if state.connection?.isOpen != true { state.connection = nil }
        state.isLost = true
        guard !state.isRetrySet else { return }
        state.isRetrySet = true
        let rest = state.pace.failed(at: .now, jitter: .random(in: 0..<1))
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(rest / .milliseconds(1)))) { [weak self] in
            self?.state.withLock { $0.isRetrySet = false }
            self?.flush()
        }
    }

    func setTimer(
        _ state: inout State, every interval: Duration, _ body: @escaping @Sendable () -> Void
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let span = DispatchTimeInterval.milliseconds(Int(interval / .milliseconds(1)))
        timer.schedule(deadline: .now() + span, repeating: span, leeway: .milliseconds(1))
        timer.setEventHandler(handler: body)
        timer.activate()
        state.timers.append(timer)
    }

    // MARK: Gathering

    /// Adds something to do on the queue. From any thread.
    func gather(_ add: (inout Gathered) -> Void) {
        let isUrgent: Bool? = gathered.withLock { gathered in
            add(&gathered)
            guard !gathered.isFlushSet else { return nil }
            gathered.isFlushSet = true
            // Sessions wait for what is opened.
            return !gathered.opening.isEmpty || !gathered.messages.isEmpty
        }
        switch isUrgent {
        case nil: break
        case true?: queue.async { [weak self] in self?.flush() }
        case false?: queue.asyncAfter(deadline: .now() + Self.gathering) { [weak self] in self?.flush() }
        }
    }

    /// Keeps what could not be done until the next try.
    func keep(_ opening: [NewsSubject], _ closing: [NewsSubject]) {
        gathered.withLock { gathered in
            gathered.opening += opening
            gathered.closing += closing
        }
    }

    func takeGathered() -> Gathered {
        gathered.withLock { gathered in
            defer { gathered = Gathered() }
            return gathered
        }
    }
}
