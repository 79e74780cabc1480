/// Whether a connection's peer is still there: when to ask it, and when to give it up.
///
/// TCP alone takes a quarter of an hour to find out that a peer is gone, and a middlebox that forgot an idle connection
/// tells nobody (RFC 9113 §6.7 has PING for that).
struct HTTP2Liveness {
    typealias Instant = ContinuousClock.Instant

    enum Due: Equatable {
        case ping
        /// The peer said nothing after a PING.
        case dead
        /// Nobody has used it for long.
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

    /// Any bytes will do: a peer that speaks is there, whether it has come to our PING or not.
    mutating func heard(at now: Instant) {
        lastHeard = now
        pinged = nil
    }

    /// The first request is under way.
    mutating func becameBusy(at now: Instant) { use = .busy(since: now) }

    /// No request is under way any more.
    mutating func becameIdle(at now: Instant) { use = .idle(since: now) }

    var nextDeadline: Instant {
        if let pinged { return pinged + settings.pingTimeout }
        switch use {
        case .busy(let start): return max(start, lastHeard) + settings.silence
        case .idle(let start): return min(max(start, lastHeard) + settings.pingInterval, start + settings.idleTimeout)
        }
    }

    /// To be called when ``nextDeadline`` has come. A PING that is due counts as sent.
    mutating func due(at now: Instant) -> Due? {
        guard nextDeadline <= now else { return nil }
        if pinged != nil { return .dead }
        if case .idle(let start) = use, start + settings.idleTimeout <= now { return .idle }
        pinged = now
        return .ping
    }
}
