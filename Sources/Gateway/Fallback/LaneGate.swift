package import Inbox

/// Decides whether a provider gets requests at all: closed for a while when it fails, opened by one trial request.
///
/// A pause grows from one second to a minute, with jitter, and is never shorter than the provider's `Retry-After`.
package struct LaneGate: Sendable {
    package enum State: Sendable, Hashable {
        case open
        case paused(since: Timestamp, until: Timestamp)
        /// One request finds out whether the provider is back; with its number once it is under way.
        case probing(Int?)
        /// The provider is back.
        case opening(LaneRamp)
    }

    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)
    /// The longest `Retry-After` that counts: one request an hour burdens no provider, and an absurd number must not
    /// silence a lane for good.
    static let longestTold = Duration.seconds(3_600)
    /// How many round trips in a row must fail: a single failure may be a lost connection, after which the next
    /// requests get a new one.
    static let failedRounds = 3
    /// A request that fails after so long, with nothing accepted meanwhile, needs no second one to confirm it.
    static let silence = Duration.seconds(5)

    package private(set) var state = State.open
    /// In a row, without having been fully open between them.
    private var pauses = 0
    private var outageSince: Timestamp?
    private var failedRoundsInARow = 0
    /// Earlier requests were under way when a failure was last counted: theirs is the same failure.
    private var firstThatCounts = 0
    /// Earlier requests were sent before the last pause: their silence says nothing about the time after it.
    private var firstAfterPause = 0
    private(set) var lastJudged: Timestamp?

    /// How many requests may leave now.
    func allowance(at now: Timestamp) -> Int {
        switch state {
        case .open: .max
        case .paused, .probing(.some): 0
        case .probing(nil): 1
        case .opening(let ramp): ramp.allowance(at: now)
        }
    }

    /// When the allowance grows by itself; nil if it takes an answer.
    func nextChange(after now: Timestamp) -> Timestamp? {
        switch state {
        case .open, .probing: nil
        case .paused(_, let until): until
        case .opening(let ramp): min(ramp.nextSlot(after: now), ramp.end)
        }
    }

    /// Follows the clock.
    mutating func pass(to now: Timestamp) {
        switch state {
        // A clock that was set back must not keep the gate closed for longer.
        case .paused(let since, let until) where !(since..<until).contains(now): state = .probing(nil)
        case .opening(let ramp) where ramp.isOver(at: now):
            state = .open
            pauses = 0
            outageSince = nil
        case .open, .paused, .probing, .opening: break
        }
    }

    /// Moves all times, as the clock was set.
    mutating func move(by span: Duration) {
        outageSince = outageSince.map { $0 + span }
        lastJudged = lastJudged.map { $0 + span }
        switch state {
        case .paused(let since, let until): state = .paused(since: since + span, until: until + span)
        case .opening(var ramp):
            ramp.move(by: span)
            state = .opening(ramp)
        case .open, .probing: break
        }
    }

    mutating func sent(_ ticket: LaneTicket) {
        switch state {
        case .probing: state = .probing(ticket.number)
        case .opening(var ramp):
            ramp.use(at: ticket.sentAt)
            state = .opening(ramp)
        case .open, .paused: break
        }
    }

    /// Takes in an answer, and returns whether the gate has just begun to open.
    ///
    /// - Parameters:
    ///   - next: the number that the next request will get.
    ///   - jitter: uniform in `0..<1`.
    mutating func answered(
        _ ticket: LaneTicket, _ answer: LaneAnswer, next: Int, at now: Timestamp, jitter: Double
    ) -> Bool {
        switch answer {
        case .works:
            lastJudged = now
            failedRoundsInARow = 0
            guard case .probing(ticket.number) = state else { return false }
            state = .opening(LaneRamp(at: now, afterOutageOf: now - (outageSince ?? now)))
            return true
        case .fails(let told):
            failed(ticket, told: told, next: next, at: now, jitter: jitter)
            return false
        }
    }

    private mutating func failed(
        _ ticket: LaneTicket, told: Duration?, next: Int, at now: Timestamp, jitter: Double
    ) {
        switch state {
        case .paused(let since, let until):
            // The request was sent before the pause: only the provider's own delay is news.
            if let told { state = .paused(since: since, until: max(until, now + min(told, Self.longestTold))) }
        case .probing(let probe):
            if probe == ticket.number || told != nil { pause(told: told, next: next, at: now, jitter: jitter) }
        case .open, .opening:
            if ticket.number >= firstThatCounts {
                failedRoundsInARow += 1
                firstThatCounts = next
            }
            let quietSince = max(ticket.sentAt, lastJudged ?? ticket.sentAt)
            let isSilent = ticket.number >= firstAfterPause && now - quietSince >= Self.silence
            if told != nil || isSilent || failedRoundsInARow >= Self.failedRounds {
                pause(told: told, next: next, at: now, jitter: jitter)
            }
        }
    }

    private mutating func pause(told: Duration?, next: Int, at now: Timestamp, jitter: Double) {
        let longest = min(Self.shortestPause * (2 << min(pauses, 10)), Self.longestPause)
        let own = Self.shortestPause + (longest - Self.shortestPause) * jitter
        pauses += 1
        outageSince = outageSince ?? now
        failedRoundsInARow = 0
        firstThatCounts = next
        firstAfterPause = next
        state = .paused(since: now, until: now + max(own, min(told ?? .zero, Self.longestTold)))
    }
}
