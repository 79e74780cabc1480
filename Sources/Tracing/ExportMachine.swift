/// Decides when a batch of spans leaves for the collector, and when it is tried again. One batch is under way at a time.
///
/// Follows OTLP/HTTP's rules for answers: 429, 502, 503 and 504, and no answer at all, are tried again, after the
/// collector's own delay if it names one. Every other failure loses the batch.
package struct ExportMachine: Sendable {
    package struct Limits: Sendable {
        /// How long spans are gathered before a batch that is not full leaves.
        package var delay = Duration.seconds(1)
        package var batch = 512
        /// How often a batch is tried.
        package var tries = 5
        /// The pause after the first failure, which doubles with each further one.
        package var firstPause = Duration.seconds(1)
        /// A collector's own delay counts up to this.
        package var longestPause = Duration.seconds(30)

        package init() {}
    }

    package enum Step: Sendable, Hashable {
        /// Nothing is to be done before the next call.
        case rest
        case wake(at: ContinuousClock.Instant)
        /// Takes a batch off the queue, and sends it.
        case sendNext
        /// Sends the last batch once more.
        case sendAgain
    }

    package enum Answer: Sendable, Hashable {
        case accepted
        /// It may succeed later, after the collector's own delay if there is one.
        case busy(retryAfter: Duration?)
        case refused

        /// - Parameters:
        ///   - status: of the collector's response.
        ///   - retryAfter: its header `Retry-After`, if that is a number of seconds.
        package init(status: Int, retryAfter: Int64?) {
            switch status {
            case 200...299: self = .accepted
            case 429, 502, 503, 504: self = .busy(retryAfter: retryAfter.map { .seconds($0) })
            default: self = .refused
            }
        }
    }

    /// What becomes of the batch after an answer.
    package enum Fate: Sendable, Hashable {
        case delivered, lost, triedAgain
    }

    private enum Phase {
        case idle
        case gathering(until: ContinuousClock.Instant)
        case sending(failures: Int)
        case pausing(until: ContinuousClock.Instant, failures: Int)
    }

    private let limits: Limits
    private var phase = Phase.idle
    private var isEnding = false

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Whether nothing is under way or gathered.
    package var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// Spans wait no longer, and each batch has one try left.
    package mutating func end() { isEnding = true }

    /// - Parameter waiting: how many spans wait, without those under way.
    package mutating func next(waiting: Int, at now: ContinuousClock.Instant) -> Step {
        switch phase {
        case .idle:
            guard waiting > 0 else { return .rest }
            phase = .gathering(until: now + limits.delay)
            return next(waiting: waiting, at: now)
        case .gathering(let until):
            guard waiting >= limits.batch || now >= until || isEnding else { return .wake(at: until) }
            guard waiting > 0 else {
                phase = .idle
                return .rest
            }
            phase = .sending(failures: 0)
            return .sendNext
        case .sending: return .rest
        case .pausing(let until, let failures):
            guard now >= until || isEnding else { return .wake(at: until) }
            phase = .sending(failures: failures)
            return .sendAgain
        }
    }

    /// - Parameter jitter: uniform in `0..<1`, drawn by the caller: nodes that failed together come back one by one.
    package mutating func answered(_ answer: Answer, at now: ContinuousClock.Instant, jitter: Double) -> Fate {
        guard case .sending(let earlier) = phase else { return .lost }
        switch answer {
        case .accepted:
            phase = .idle
            return .delivered
        case .refused:
            phase = .idle
            return .lost
        case .busy(let told):
            let failures = earlier + 1
            guard failures < limits.tries, !isEnding else {
                phase = .idle
                return .lost
            }
            let doubled = limits.firstPause * (1 << (failures - 1))
            let pause = told ?? doubled * (0.5 + jitter / 2)
            phase = .pausing(until: now + min(max(pause, .zero), limits.longestPause), failures: failures)
            return .triedAgain
        }
    }
}
