package import Inbox

/// The meaning of a provider's reply for the job and the device.
package enum Verdict: Sendable, Hashable {
    /// The pushes that a provider's "not now" applies to.
    package enum Scope: Sendable, Hashable {
        /// Pushes to this device, or this message; others go through.
        case device
        /// All pushes to the provider: a quota, an outage, a lost connection.
        case provider
    }

    case accepted
    /// The device is no longer reachable, since the provider's own time if it told one.
    case deviceGone(since: Timestamp?)
    /// Try again later, after the provider's own delay if it told one. The cause is there if the provider did not judge
    /// the push: the obstacle, in words for a log.
    ///
    /// Indirect, because a verdict goes along with every push, and nearly all are accepted.
    indirect case busy(retryAfter: Duration?, scope: Scope, cause: NoAnswer? = nil)
    /// The push can never succeed: its payload is wrong, or a setting does not fit this device. The operator must act.
    case refused(reason: String)

    /// The verdict for a push that the service did not judge, because it refuses the credential. The push is not at
    /// fault, and waits until an operator has acted.
    ///
    /// - Parameters:
    ///   - word: the service's own word.
    ///   - scope: `device` if the service still takes pushes to others.
    package static func keyRefused(_ word: String, retryAfter: Duration? = nil, scope: Scope = .provider) -> Verdict {
        .busy(retryAfter: retryAfter, scope: scope, cause: NoAnswer(reason: word, obstacle: .refusedKey))
    }

    /// The verdict for a push without a reply, and so without a delay.
    package static func noAnswer(_ cause: NoAnswer, scope: Scope = .provider) -> Verdict {
        .busy(retryAfter: nil, scope: scope, cause: cause)
    }
}
