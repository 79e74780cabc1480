/// When to send the next beat, and when to give a silent peer up.
///
/// The server asks and the client only answers, so that a browser's throttled timers do no harm.
struct Heartbeat {
    enum Action: Hashable {
        case none
        /// Send `beat` and a ping.
        case beat
        /// Nothing was heard for too long.
        case giveUp
    }

    private let interval: Duration
    private let pongTimeout: Duration
    private var nextBeat: ContinuousClock.Instant
    private var lastHeard: ContinuousClock.Instant

    /// - Parameter jitter: uniform in 0..<1, so that sessions opened together do not beat together.
    init(interval: Duration, pongTimeout: Duration, at now: ContinuousClock.Instant, jitter: Double) {
        self.interval = interval
        self.pongTimeout = pongTimeout
        lastHeard = now
        nextBeat = now + interval * (0.9 + 0.2 * jitter)
    }

    var nextWake: ContinuousClock.Instant { min(nextBeat, deadline) }

    private var deadline: ContinuousClock.Instant { lastHeard + interval * 1.1 + pongTimeout }

    /// Any frame of the peer is a sign of life.
    mutating func heard(at now: ContinuousClock.Instant) { lastHeard = now }

    /// Whether the peer gave a sign of life lately enough to count as there.
    func isFresh(at now: ContinuousClock.Instant) -> Bool { now < deadline }

    mutating func wake(at now: ContinuousClock.Instant, jitter: Double) -> Action {
        guard now < deadline else { return .giveUp }
        guard now >= nextBeat else { return .none }
        nextBeat = now + interval * (0.9 + 0.2 * jitter)
        return .beat
    }
}
