package import Inbox

/// Follows how long the credentials of an open connection hold.
///
/// At the token's expiry, when it has counted for as long as one may, and when its key is trusted no more, the client
/// is asked to renew; if no new token has come when the grace is over, the connection closes. The grace counts from the
/// question, so that a client always has the time it was told, however late the timer fired and however much of the
/// verifier's leeway was used up.
package struct CredentialLifetime: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        case none
        /// Ask for a new token, and say how long that may take.
        case renew(within: Duration)
        case close
    }

    private enum State: Hashable {
        case valid(until: Timestamp)
        case renewing(until: Timestamp)
        /// A token without expiry, or a connection that is being closed.
        case settled
    }

    private var state: State

    /// - Parameter expiry: the token's; nil if it never expires.
    package init(expiry: Timestamp?) { state = Self.state(expiry) }

    /// A token that was verified now.
    ///
    /// - Parameter longest: for so long it counts at most, whatever its expiry.
    package init(expiry: Timestamp?, from now: Timestamp, longest: Duration) {
        let end = now + longest
        self.init(expiry: min(expiry ?? end, end))
    }

    private static func state(_ expiry: Timestamp?) -> State { expiry.map { .valid(until: $0) } ?? .settled }

    /// When to call ``wake(at:)`` next; nil: not before new credentials come.
    package var nextWake: Timestamp? {
        switch state {
        case .valid(let moment), .renewing(let moment): moment
        case .settled: nil
        }
    }

    /// What is to be done at `now`; a timer that fires early is harmless.
    ///
    /// - Parameter grace: how long a client may take to renew.
    package mutating func wake(at now: Timestamp, grace: Duration) -> Action {
        switch state {
        case .valid(let expiry) where now >= expiry:
            state = .renewing(until: now + grace)
            return .renew(within: grace)
        case .renewing(let end) where now >= end:
            state = .settled
            return .close
        case .valid, .renewing, .settled:
            return .none
        }
    }

    /// The token is not trusted any more: asks for another one, unless that was asked already. A grace that has begun
    /// is not made longer.
    package mutating func doubted(at now: Timestamp, grace: Duration) -> Action {
        if case .renewing = state { return .none }
        state = .renewing(until: now + grace)
        return .renew(within: grace)
    }
}
