/// Whether a connection's peer is still there: when to send a PING, and when to give the peer up.
///
/// TCP alone needs a quarter of an hour to notice that a peer is gone. A middlebox that drops an idle connection tells
/// neither side. RFC 9113 §6.7 has PING for that.
struct HTTP2Liveness {
    typealias Instant = ContinuousClock.Instant

    enum Due: Equatable {
        case ping
        /// The peer sent nothing after a PING.
        case dead
        /// The connection was unused for long.
        case idle
    }

    private enum Use {
        case busy(since: Instant)
        case idle(since: Instant)
    }

    private let settings: HTTP2ClientSettings
    private var use: Use
    private var lastHeard: Instant
    private var pinged: Instant?

    init(_ settings: HTTP2ClientSettings, at now: Instant) {
        self.settings = settings
        use = .idle(since: now)
        lastHeard = now
    }

    /// Takes note of received bytes: any bytes show that the peer is there, even before it answers a PING.
    mutating func heard(at now: Instant) {
        lastHeard = now
        pinged = nil
    }

    /// The first request began.
    mutating func becameBusy(at now: Instant) { use = .busy(since: now) }

    /// The last request ended.
    mutating func becameIdle(at now: Instant) { use = .idle(since: now) }

    var nextDeadline: Instant {
        if let pinged { return pinged + settings.pingTimeout }
        switch use {
        case .busy(let start): return max(start, lastHeard) + settings.silence
        case .idle(let start): return min(max(start, lastHeard) + settings.pingInterval, start + settings.idleTimeout)
        }
    }

    /// Called when ``nextDeadline`` has come. A PING that is due counts as sent.
    mutating func due(at now: Instant) -> Due? {
        guard nextDeadline <= now else { return nil }
        if pinged != nil { return .dead }
        if case .idle(let start) = use, start + settings.idleTimeout <= now { return .idle }
        pinged = now
        return .ping
    }
}
