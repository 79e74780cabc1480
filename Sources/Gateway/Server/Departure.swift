/// The order in which a node leaves.
///
/// Two things happen side by side: what was taken in is finished and the store is handed over as soon as that is done,
/// while each session keeps its connection until its own moment to go elsewhere.
struct Departure {
    /// What is to be done next.
    enum Step: Hashable {
        case closeStore
        /// HTTP connections end when they have answered what they were asked.
        case finishConnections
        /// Sessions are closed that should have gone by now.
        case closeSessions
        /// Nothing is left, or nothing that is waited for.
        case end
    }

    /// How things stand.
    struct View {
        /// Listeners for publishers that are not closed yet.
        var publishListeners = 0
        /// Listeners for clients that still take in those who have begun to connect.
        var publicListeners = 0
        /// Publishes, and pushes whose outcome the store is to hear.
        var work = 0
        var webSockets = 0
        /// All connections, WebSockets among them.
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

    /// What is to be done now, in this order; to be asked again and again until it is the end.
    mutating func look(_ view: View, at now: ContinuousClock.Instant) -> [Step] {
        guard !hasEnded else { return [] }
        var steps: [Step] = []
        // The next process makes its socket at the path of ours: it must be gone before that process gets its turn.
        if store == .working, view.publishListeners == 0, view.work == 0 || now >= workDeadline {
            store = .closing
            steps.append(.closeStore)
        }
        if finishingSince == nil, (store == .closed && view.publicListeners == 0) || now >= sessionDeadline {
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
