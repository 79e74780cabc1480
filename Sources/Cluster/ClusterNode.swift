import Inbox
import Push
package import Store
import Synchronization

/// This process among those that share a store: its lease, what its sessions watch, and what nodes tell each other.
///
/// Its host gives it a connection and a queue of its own. Commits do not wait for it. Each message may be lost, so nodes
/// ask the store how far things have come: now and then, and after each trouble.
package final class ClusterNode: Sendable {
    /// Commits that come within this time are told together.
    private static let gathering = Duration.milliseconds(2)
    static let beat = Duration.seconds(1)
    /// A node that was held up for longer asks for everything.
    static let longestPause = Duration.seconds(3)
    /// How long a node lives without renewing its lease.
    package static let lease = Duration.seconds(10)
    /// How long people whose node has left count as on the way back.
    package static let returnTime = Duration.seconds(15)

    /// What waits for the queue.
    struct Gathered {
        var opening: [NewsSubject] = []
        var closing: [NewsSubject] = []
        var commits: [Commit] = []
        /// For the nodes with these channels.
        var messages: [NodeRows.Message] = []
        var hasNotes = false
        var isFlushSet = false
    }

    struct State: ~Copyable {
        var rows: (any NodeRows)?
        /// 0 before the node is registered.
        var node: Int64 = 0
        var channel = ""
        /// Whether notes of others may be gone that this node has not read: they are kept for some minutes.
        var mayHaveMissedNotes = false
        /// The living nodes, as of the last beat.
        var living: Set<Int64> = []
        var lastBeat: ContinuousClock.Instant
        /// How many beats there were.
        var beats = 0
        var isStopped = false
        /// Whether it looks for mail by a timer.
        var readsMail = false
        /// Whether something has failed since the last flush that succeeded.
        var isLost = false
        /// Whether a moment is set at which it is tried again.
        var isRetrySet = false

        init(at now: ContinuousClock.Instant) { lastBeat = now }
    }

    let name: String
    let rules: StoreOptions
    let host: any ClusterHost
    package let bus: ClusterBus
    let meter: NodeMeter
    /// Touched on the host's queue alone. The mutex says so to the compiler, and nobody ever waits for it.
    let state: Mutex<State>
    private let gathered = Mutex(Gathered())
    let beatWatch = Mutex(BeatWatch())
    let search: NewsSearch
    package let questions = NodeQuestions()
    private let duty = Mutex<@Sendable () -> Void>({})
    private let isCaretaker = Atomic(false)
    /// The number under which this node writes notes.
    private let number = Atomic<Int64>(0)

    /// The node's number.
    package var node: Int64 { number.load(ordering: .relaxed) }

    /// - Parameter name: what operators call it.
    package init(_ name: String, _ rules: StoreOptions, on host: any ClusterHost, meter: NodeMeter) {
        (self.name, self.rules, self.host, self.meter) = (name, rules, host, meter)
        state = Mutex(State(at: host.now))
        bus = ClusterBus()
        search = NewsSearch(bus: bus, host: host, rules: rules)
        search.restarted = { [weak self] subject in self?.gather { $0.opening.append(subject) } }
    }

    /// Joins the others.
    ///
    /// - Returns: whether there are others with a lease.
    /// - Throws: a failure of the engine.
    package func start() throws -> Bool {
        try host.onQueue {
            try state.withLock { state in
                let hasOthers = try connect(&state).living().leased > 1
                host.every(Self.beat) { [weak self] in self?.beatNow() }
                return hasOthers
            }
        }
    }

    package func stop(_ completion: @escaping @Sendable () -> Void) {
        host.stopListening { [self] in
            host.run(after: .zero) { [self] in
                state.withLock { state in
                    state.isStopped = true
                    // Whoever takes over notices the end of the lease if this fails.
                    if let rows = state.rows { try? rows.leave(state.node) }
                    host.stopTimers()
                    state.rows?.close()
                    state.rows = nil
                }
                completion()
            }
        }
    }

    // MARK: Work for all

    /// Whether this node does the work that one does for all.
    package var isOnDuty: Bool { isCaretaker.load(ordering: .relaxed) }

    /// What this node's operator is told.
    package var figures: NodeFigures {
        meter.figures(isCaretaker: isOnDuty, lostWakeUps: bus.lostWakeUps, at: host.now)
    }

    package func onDuty(_ body: @escaping @Sendable () -> Void) { duty.withLock { $0 = body } }

    func take(duty isTaken: Bool) {
        isCaretaker.store(isTaken, ordering: .relaxed)
        if isTaken { duty.withLock { $0 }() }
    }

    // MARK: The connection

    /// The connection, made anew if it was lost. On the queue.
    @discardableResult
    func connect(_ state: inout State) throws -> any NodeRows {
        if let rows = state.rows, rows.isOpen { return rows }
        let rows = try host.connect()
        _ = try rows.lookAtClock()
        state.rows = rows
        if state.node == 0 {
            try register(&state, in: rows)
        } else {
            // Where the store has crashed, or another one has taken over, what nodes watch is gone: no log has it.
            try watchAgain(state.node, in: rows)
        }
        return rows
    }

    /// Becomes a new node, which watches all that the earlier one has watched.
    func register(_ state: inout State, in rows: any NodeRows) throws {
        let channel = "belfry_" + rules.makeEpoch()
        let node = try rows.register(name: name, channel: channel)
        if state.node == 0 { try rows.beginNotes(for: node) }
        try watchAgain(node, in: rows)
        // If anything failed before, the next try begins anew, and the lease of this one ends by itself.
        (state.node, state.channel, state.lastBeat) = (node, channel, host.now)
        number.store(node, ordering: .relaxed)
        hear(&state)
    }

    private func watchAgain(_ node: Int64, in rows: any NodeRows) throws {
        let watched = bus.watched
        if !watched.isEmpty { try rows.watch(watched, node) }
    }

    /// Notes a failure, and tries again later: with a new connection, if this one has ended.
    func lose(_ state: inout State) {
        if state.rows?.isOpen != true { state.rows = nil }
        state.isLost = true
        guard !state.isRetrySet else { return }
        state.isRetrySet = true
        host.run(after: host.rest()) { [weak self] in
            self?.state.withLock { $0.isRetrySet = false }
            self?.flush()
        }
    }

    // MARK: Gathering

    /// Adds something to do on the queue. From any thread.
    func gather(_ add: (inout Gathered) -> Void) {
        let delay: Duration? = gathered.withLock { gathered in
            add(&gathered)
            guard !gathered.isFlushSet else { return nil }
            gathered.isFlushSet = true
            // Sessions wait for what is opened.
            return gathered.opening.isEmpty && gathered.messages.isEmpty ? Self.gathering : .zero
        }
        if let delay { host.run(after: delay) { [weak self] in self?.flush() } }
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
