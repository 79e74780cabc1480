/// The life of the connection: an attempt, `ready`, signs of life, an end, and the next attempt.
///
/// A pure machine: effects are carried out in order.
struct SessionLife {
    enum Effect: Equatable {
        /// Open a socket and say hello, with a new token if a reason is given.
        case open(TokenReason?)
        /// Drop the socket, even one that is still opening.
        case drop
        /// Send a frame that the server answers.
        case probe
        /// Send a new token.
        case renew
        /// Call ``expire(_:)`` after a number of milliseconds. Replaces the earlier timer; nil only ends that.
        case timer(Int64?)
        /// The connection has ended for good.
        case stopped(StopReason)
    }

    private enum Phase {
        case idle, connecting
        case live(since: Int64, isProbing: Bool)
        /// `isImposed`: the server asked for the delay, so nothing shortens it.
        case waiting(until: Int64, isImposed: Bool)
        case stopped(StopReason)
    }

    /// The longest delay between two attempts; also the time that a session must last to clear earlier failures.
    private static let longestDelay: Int64 = 30_000
    private static let shortestDelay: Int64 = 1_000
    /// The time from the beginning of an attempt to `ready`: the app's token, the network, the server.
    private static let readyPatience: Int64 = 20_000
    private static let probePatience: Int64 = 3_000
    /// The time allowed for the server and the network, beyond the latest heartbeat.
    private static let silenceAllowance: Int64 = 10_000

    private var phase = Phase.idle
    /// The reason for a new token in the next attempt.
    private var why: TokenReason? = .first
    private var failures = 0
    private var heartbeat: Int64 = 25_000
    private var heardAt: Int64 = 0
    /// The time before which the client must not reconnect, set by a server that drains.
    private var notBefore: Int64 = 0

    var status: InboxStatus {
        switch phase {
        case .idle, .connecting: .connecting
        case .live: .live
        case .waiting(let until, _): .waiting(retryAt: Moment.date(milliseconds: until))
        case .stopped(let reason): .stopped(reason)
        }
    }

    var isIdle: Bool {
        if case .idle = phase { true } else { false }
    }

    var isLive: Bool {
        if case .live = phase { true } else { false }
    }

    /// Whether everything has come that the server sent until its last sign of life.
    var isSynced: Bool {
        if case .live(_, let isProbing) = phase { !isProbing } else { false }
    }

    var stopReason: StopReason? {
        if case .stopped(let reason) = phase { reason } else { nil }
    }

    mutating func attempt() -> [Effect] {
        phase = .connecting
        return [.timer(Self.readyPatience), .open(why)]
    }

    mutating func stop(_ reason: StopReason) -> [Effect] {
        guard stopReason == nil else { return [] }
        phase = .stopped(reason)
        return [.drop, .timer(nil), .stopped(reason)]
    }

    /// The app has returned a new token.
    mutating func renewed() { why = nil }

    mutating func received(_ frame: ServerFrame, _ moment: Moment) -> [Effect] {
        let now = moment.milliseconds
        heardAt = now
        if frame.type == "drain" { notBefore = now + (frame["reconnectIn"]?.milliseconds ?? 0) }
        switch phase {
        case .idle, .waiting, .stopped: return []
        case .connecting:
            guard frame.type == "ready" else { return [] }
            begin(frame, now)
            return [.timer(patience)]
        case .live(let since, _):
            phase = .live(since: since, isProbing: false)
            if frame.type == "ready" { begin(frame, now) }
            return [.timer(patience)] + (frame.type == "renew" ? [.renew] : [])
        }
    }

    private mutating func begin(_ ready: ServerFrame, _ now: Int64) {
        heartbeat = max(ready["heartbeat"]?.milliseconds ?? heartbeat, 1)
        phase = .live(since: now, isProbing: false)
    }

    /// The connection was lost, or never established.
    ///
    /// - Parameter code: the WebSocket's close code, if any.
    mutating func closed(_ code: Int?, _ moment: Moment) -> [Effect] {
        switch phase {
        case .idle, .waiting, .stopped: []
        case .connecting, .live: fail(code ?? 0, moment)
        }
    }

    mutating func expire(_ moment: Moment) -> [Effect] {
        switch phase {
        case .idle, .stopped: []
        case .waiting: attempt()
        case .connecting, .live: fail(0, moment)
        }
    }

    /// Somebody looks, or the network is back. Timers may have stood still while the app was suspended.
    mutating func wake(_ moment: Moment) -> [Effect] {
        switch phase {
        case .idle, .connecting, .stopped, .live(_, isProbing: true): return []
        case .waiting: return retry(moment.milliseconds)
        case .live(let since, isProbing: false):
            let silence = moment.milliseconds - heardAt
            // A clock that was set back does not tell how long the silence was.
            if silence >= 0 && silence <= heartbeat { return [] }
            if silence > patience { return fail(0, moment) + retry(moment.milliseconds) }
            phase = .live(since: since, isProbing: true)
            return [.probe, .timer(Self.probePatience)]
        }
    }

    private var patience: Int64 { heartbeat + heartbeat / 10 + Self.silenceAllowance }

    private mutating func retry(_ now: Int64) -> [Effect] {
        guard case .waiting(let until, let isImposed) = phase, !isImposed || now >= until else { return [] }
        return attempt()
    }

    /// Uses full jitter, unless the server wants the client back at once. The codes are the live protocol's, and those
    /// of RFC 6455 §7.4.1 for a client's mistakes.
    private mutating func fail(_ code: Int, _ moment: Moment) -> [Effect] {
        if let reason = Self.mistake(code) { return stop(reason) }
        let now = moment.milliseconds
        if case .live(let since, _) = phase, now - since >= Self.longestDelay { failures = 0 }
        if code == 4202 { why = .expired }
        let isWelcome = (4200..<4300).contains(code)
        let longest = min(Self.longestDelay, Self.shortestDelay << min(failures, 10))
        let jitter = isWelcome && failures == 0 ? 0 : Int64((moment.chance * Double(longest)).rounded())
        let delay = max(jitter, isWelcome ? 0 : notBefore - now)
        phase = .waiting(until: now + delay, isImposed: (4100..<4200).contains(code) || delay > jitter)
        notBefore = 0
        failures += 1
        return [.drop, .timer(delay)]
    }

    /// Why a retry cannot help, by the code; nil if it can.
    private static func mistake(_ code: Int) -> StopReason? {
        switch code {
        case 4001: .tokenRefused
        case 4002: .revoked
        case 4003: .unsupportedVersion
        case 4000..<4100, 1002, 1003, 1007, 1009: .mistake
        default: nil
        }
    }
}
