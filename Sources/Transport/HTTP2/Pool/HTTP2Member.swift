/// One connection, from the view of its pool.
struct HTTP2Member {
    enum Phase: Equatable {
        case connecting(until: ContinuousClock.Instant)
        case serving
        /// Takes no new requests, and ends after its last one.
        case draining
    }

    /// The assumed number of streams before the server tells one: the recommended minimum (RFC 9113 §6.5.2).
    static let assumedStreams = 100

    let key: HTTP2Pool.ConnectionKey
    var phase: Phase {
        didSet { (isServing, isDraining) = (phase == .serving, phase == .draining) }
    }
    // Read for each request: a phase may hold a time, and reading it takes several times as long as everything else.
    private var isServing = false
    private var isDraining = false
    var streamLimit = assumedStreams
    private(set) var inFlight = 0
    /// The time of the last response; nil before the first.
    private(set) var lastAnswer: ContinuousClock.Instant?
    var liveness: HTTP2Liveness

    init(_ key: HTTP2Pool.ConnectionKey, _ settings: HTTP2ClientSettings, at now: ContinuousClock.Instant) {
        self.key = key
        phase = .connecting(until: now + settings.connectTimeout)
        liveness = HTTP2Liveness(settings, at: now)
    }

    var hasFreeStream: Bool { isServing && inFlight < streamLimit }

    /// Whether the last request has ended.
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
