package import Inbox
package import Push

/// Decides when to log why pushes do not reach a provider: when that begins or the reason changes, not for every push.
package struct FailureLog: Sendable {
    package struct Failure: Sendable, Hashable {
        package let cause: NoAnswer
        /// Whether no push reached the provider, or only this one did not.
        package let scope: Verdict.Scope
        package let at: Timestamp
    }

    /// The least time between two lines with the same reason: one way of several may fail again and again.
    static let interval = Duration.seconds(60)
    /// The most reasons that are logged within the interval; reasons are few.
    static let maximumReasons = 32

    /// The newest failure.
    package private(set) var last: Failure?
    /// Why the newest push failed; nil if the provider replied to it.
    private(set) var current: String?
    /// The reason in the log; nil once that is over.
    private var told: String?
    private var toldAt: [String: Timestamp] = [:]

    /// Notes a failed push, and returns whether to log it now.
    mutating func failed(_ cause: NoAnswer, scope: Verdict.Scope, at now: Timestamp) -> Bool {
        let reason = cause.reason
        last = Failure(cause: cause, scope: scope, at: now)
        current = reason
        guard reason != told else { return false }
        // This also holds after the clock was set back.
        toldAt = toldAt.filter { ($1..<$1 + Self.interval).contains(now) }
        guard toldAt[reason] == nil, toldAt.count < Self.maximumReasons else { return false }
        told = reason
        toldAt[reason] = now
        return true
    }

    /// Notes that the provider replied to a push, with whatever verdict.
    mutating func answered() {
        // This runs with every push, and a failure is rare.
        guard current != nil else { return }
        current = nil
        told = nil
    }
}
