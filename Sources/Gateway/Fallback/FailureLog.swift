package import Inbox
package import Push

/// Why pushes do not get to a provider: to be told when that begins and when the reason changes, not with every push.
package struct FailureLog: Sendable {
    package struct Failure: Sendable, Hashable {
        package let cause: NoAnswer
        /// Whether no push got to the provider, or this one did not.
        package let scope: Verdict.Scope
        package let at: Timestamp
    }

    /// Between two lines with the same reason: one way of several may fail again and again.
    static let interval = Duration.seconds(60)
    /// Reasons that were told within the interval. They are few.
    static let maximumReasons = 32

    /// The newest.
    package private(set) var last: Failure?
    /// Why the newest push failed; nil if the provider said something to it.
    private(set) var current: String?
    /// What the log says; nil if that is over.
    private var told: String?
    private var toldAt: [String: Timestamp] = [:]

    /// Takes in that a push has failed; tells whether this is to be told now.
    mutating func failed(_ cause: NoAnswer, scope: Verdict.Scope, at now: Timestamp) -> Bool {
        let reason = cause.reason
        last = Failure(cause: cause, scope: scope, at: now)
        current = reason
        guard reason != told else { return false }
        // Also if the clock was set back.
        toldAt = toldAt.filter { ($1..<$1 + Self.interval).contains(now) }
        guard toldAt[reason] == nil, toldAt.count < Self.maximumReasons else { return false }
        told = reason
        toldAt[reason] = now
        return true
    }

    /// Takes in that the provider said something to a push, whatever it was.
    mutating func answered() {
        // With every push: the other case is rare.
        guard current != nil else { return }
        current = nil
        told = nil
    }
}
