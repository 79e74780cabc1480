/// One connection as its pool sees it.
struct HTTP2Member {
    enum Phase: Equatable {
        case connecting(until: ContinuousClock.Instant)
        case serving
        /// Takes no new requests, and ends with its last one.
        case draining
    }

    /// What servers allow at least, by recommendation (RFC 9113 §6.5.2), while they have not said.
    static let assumedStreams = 100

    let key: HTTP2Pool.ConnectionKey
    var phase: Phase {
        didSet { (isServing, isDraining) = (phase == .serving, phase == .draining) }
    }
    // Asked for each request: to look at a phase, which may hold a time, takes several times as long as all else.
    private var isServing = false
    private var isDraining = false
    var streamLimit = assumedStreams
    private(set) var inFlight = 0
    /// When the last response came; nil before the first.
    private(set) var lastAnswer: ContinuousClock.Instant?
    var liveness: HTTP2Liveness

    init(_ key: HTTP2Pool.ConnectionKey, _ settings: HTTP2ClientSettings, at now: ContinuousClock.Instant) {
        self.key = key
        phase = .connecting(until: now + settings.connectTimeout)
        liveness = HTTP2Liveness(settings, at: now)
    }

    var hasFreeStream: Bool { isServing && inFlight < streamLimit }

    /// Whether its last request is over.
    var isDrained: Bool { isDraining && inFlight == 0 }

    var freeStreams: Int { isServing ? max(streamLimit - inFlight, 0) : 0 }

    var isConnecting: Bool {
        if case .connecting = phase { true } else { false }
    }

    var nextDeadline: ContinuousClock.Instant {
        if case .connecting(let deadline) = phase { deadline } else { liveness.nextDeadline }
    }

    mutating func began(at now: ContinuousClock.Instant) {
        if inFlight == 0 { liveness.becameBusy(at: now) }
        inFlight += 1
    }

    mutating func ended(wasAnswered: Bool, at now: ContinuousClock.Instant) {
        inFlight -= 1
        if wasAnswered { lastAnswer = now }
        if inFlight == 0 { liveness.becameIdle(at: now) }
    }
}
