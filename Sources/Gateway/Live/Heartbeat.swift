/// Decides when to send the next beat, and when to give up a silent peer.
///
/// The server asks and the client only answers, so that a browser's throttled timers do no harm.
struct Heartbeat {
    /// The values that all sessions share, so that none keeps its own.
    struct Pace {
        /// The time between two beats, give or take a tenth.
        let interval: Duration
        /// How long the peer may be silent: until the latest beat, and then as long as its answer may take.
        fileprivate let patience: Duration
        fileprivate let pongTimeout: Duration
        /// Sessions wake at multiples of this: one wake-up of the shard then serves many, whose answers come together,
        /// too.
        let grain: Duration
        /// A session that wakes later than this was held up: the process slept, and has asked the peer nothing.
        let longestDelay: Duration

        init(interval: Duration, pongTimeout: Duration) {
            self.interval = interval
            self.pongTimeout = pongTimeout
            patience = interval * 1.1 + pongTimeout
            // A delay of less than a twentieth of the range over which beats are spread.
            grain = interval / 256
            longestDelay = grain + .seconds(1)
        }
    }

    enum Action: Hashable {
        case none
        /// Send `beat` and a ping.
        case beat
        /// The peer was silent for too long.
        case giveUp
    }

    private var nextBeat: Moment
    private var lastHeard: Moment

    /// - Parameter jitter: uniform in 0..<1, so that sessions opened together do not beat together.
    init(_ pace: Pace, at now: Moment, jitter: Double) {
        lastHeard = now
        nextBeat = pace.nextBeat(after: now, jitter: jitter)
    }

    func nextWake(_ pace: Pace) -> Moment { min(nextBeat, deadline(pace)) }

    private func deadline(_ pace: Pace) -> Moment { lastHeard + pace.patience }

    /// Notes a sign of life: any frame of the peer is one.
    mutating func heard(at now: Moment) { lastHeard = now }

    /// Whether the peer's last sign of life is recent enough.
    func isFresh(at now: Moment, _ pace: Pace) -> Bool { now < deadline(pace) }

    mutating func wake(at now: Moment, _ pace: Pace, jitter: Double) -> Action {
        if now >= deadline(pace) {
            guard now - deadline(pace) > pace.longestDelay else { return .giveUp }
            // The peer gets as long to answer as after any beat.
            lastHeard = now - (pace.patience - pace.pongTimeout)
        } else if now < nextBeat {
            return .none
        }
        nextBeat = pace.nextBeat(after: now, jitter: jitter)
        return .beat
    }
}

extension Heartbeat.Pace {
    fileprivate func nextBeat(after now: Moment, jitter: Double) -> Moment { now + interval * (0.9 + 0.2 * jitter) }
}
