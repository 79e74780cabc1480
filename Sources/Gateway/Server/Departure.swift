/// The order of events when a node leaves.
///
/// Two things happen side by side: accepted work is finished and the store then handed over at once. Meanwhile each
/// session keeps its connection until its own moment to go.
struct Departure {
    /// The next thing to do.
    enum Step: Hashable {
        case closeStore
        /// HTTP connections end after the answers to requests that have begun.
        case finishConnections
        /// Sessions are closed that should have gone by now.
        case closeSessions
        /// The node waits for nothing more.
        case end
    }

    /// The current state of the node.
    struct View {
        /// Listeners of the Unix socket that are not closed yet.
        var publishListeners = 0
        /// Shards that still accept connections from the network which have begun.
        var remoteListeners = 0
        /// Publishes under way, and pushes whose outcomes the store has yet to get.
        var work = 0
        var webSockets = 0
        /// All connections, WebSockets included.
        var connections = 0
    }

    private enum Store {
        case working, closing, closed
    }

    /// How long requests that have begun may take to end.
    static let finishTimeout = Duration.seconds(2)

    private let workDeadline: ContinuousClock.Instant
    private let sessionDeadline: ContinuousClock.Instant
    private var store = Store.working
    private var finishingSince: ContinuousClock.Instant?
    private var areSessionsClosed = false
    private var hasEnded = false

    /// - Parameter deadline: how long sessions may stay.
    init(at now: ContinuousClock.Instant, deadline: Duration) {
        workDeadline = now + Self.finishTimeout
        sessionDeadline = now + deadline
    }

    mutating func storeClosed() { store = .closed }

    /// The steps to take now, in order; to be called again and again until `end`.
    mutating func look(_ view: View, at now: ContinuousClock.Instant) -> [Step] {
        guard !hasEnded else { return [] }
        var steps: [Step] = []
        // The next process creates its socket at the same path: ours must be gone before that process gets its turn.
        if store == .working, view.publishListeners == 0, view.work == 0 || now >= workDeadline {
            store = .closing
            steps.append(.closeStore)
        }
        if finishingSince == nil, (store == .closed && view.remoteListeners == 0) || now >= sessionDeadline {
            finishingSince = now
            steps.append(.finishConnections)
        }
        if !areSessionsClosed, now >= sessionDeadline {
            areSessionsClosed = true
            if view.webSockets > 0 { steps.append(.closeSessions) }
        }
        if isDone(view, at: now) {
            hasEnded = true
            steps.append(.end)
        }
        return steps
    }

    private func isDone(_ view: View, at now: ContinuousClock.Instant) -> Bool {
        guard store == .closed, let finishingSince else { return false }
        if view.connections == 0 { return true }
        let lastMoment = max(view.webSockets == 0 ? finishingSince : sessionDeadline, finishingSince)
        return now >= lastMoment + Self.finishTimeout
    }
}
