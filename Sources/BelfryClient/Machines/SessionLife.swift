/// The life of the connection: an attempt, `ready`, signs of life, an end, and when to try again.
///
/// A pure machine: effects are carried out in their order.
struct SessionLife {
    enum Effect: Equatable {
        /// Open a socket and say hello, with another token if a reason is named.
        case open(TokenReason?)
        /// Forget the socket, also one that is only being opened.
        case drop
        /// Send something that is answered.
        case probe
        /// Send another token.
        case renew
        /// Call ``expire(_:)`` after so many milliseconds; replaces the timer before it, nil only ends it.
        case timer(Int64?)
        /// It never comes back.
        case stopped(StopReason)
    }

    private enum Phase {
        case idle, connecting
        case live(since: Int64, isProbing: Bool)
        /// `isImposed`: the server itself has asked for the delay, so nothing shortens it.
        case waiting(until: Int64, isImposed: Bool)
        case stopped(StopReason)
    }

    /// The longest delay between two attempts, and how long a session must last before earlier failures are forgotten.
    private static let longestDelay: Int64 = 30_000
    private static let shortestDelay: Int64 = 1_000
    /// From the beginning of an attempt to `ready`: the app's token, the network, the server.
    private static let readyPatience: Int64 = 20_000
    private static let probePatience: Int64 = 3_000
    /// What the server allows itself and the path, beyond the latest heartbeat.
    private static let silenceAllowance: Int64 = 10_000

    private var phase = Phase.idle
    /// Why the next attempt needs another token.
    private var why: TokenReason? = .first
    private var failures = 0
    private var heartbeat: Int64 = 25_000
    private var heardAt: Int64 = 0
    /// A server that drains gives each client a moment before which it must not come back.
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

    /// Whether all that the server has told until its last sign of life has come.
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

    /// The app has given another token.
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

    /// The connection is gone, or none came.
    ///
    /// - Parameter code: the WebSocket's close code, if there was one.
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

    /// Somebody looks, or the network is back: timers may have stood still for as long as the app was suspended.
    mutating func wake(_ moment: Moment) -> [Effect] {
        switch phase {
        case .idle, .connecting, .stopped, .live(_, isProbing: true): return []
        case .waiting: return retry(moment.milliseconds)
        case .live(let since, isProbing: false):
            let silence = moment.milliseconds - heardAt
            // A clock that was set back says nothing of how long it was.
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

    /// Full jitter, unless the server wants the client back at once. The codes are those of the live protocol, and of
    /// RFC 6455 §7.4.1 where the client is wrong.
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

    /// Why trying again cannot help, by the code; nil if it can.
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
