package import Inbox

/// Tracks how long the credentials of an open connection are valid.
///
/// The client is asked to renew when the token expires, when it has been used for as long as allowed, and when its key
/// is no longer trusted. Without a new token within the grace, the connection closes. The grace counts from the
/// question, so a client always has the time that it was told, however late the timer fires or however much leeway is
/// used up.
package struct CredentialLifetime: Sendable, Hashable {
    package enum Action: Sendable, Hashable {
        case none
        /// Ask for a new token, and tell how long that may take.
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

    /// Credentials that were verified now.
    ///
    /// - Parameter longest: for how long the token counts at most, whatever its expiry.
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

    /// The action at `now`; a timer that fires early is harmless.
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

    /// Asks for another token, as this one is no longer trusted, unless that was asked already. A running grace is not
    /// prolonged.
    package mutating func doubted(at now: Timestamp, grace: Duration) -> Action {
        if case .renewing = state { return .none }
        state = .renewing(until: now + grace)
        return .renew(within: grace)
    }
}
