package import Inbox

/// What a provider's reply means for the job and the device.
package enum Verdict: Sendable, Hashable {
    /// Whom a provider's "not now" is about.
    package enum Scope: Sendable, Hashable {
        /// This device, or this message: others go through.
        case device
        /// Everything that goes to the provider: a quota, an outage, a lost connection.
        case provider
    }

    case accepted
    /// The device cannot be reached any more, as of the provider's own time if it told one.
    case deviceGone(since: Timestamp?)
    /// Try again later; the provider's own delay if it told one. With a cause where the provider said nothing about the
    /// push: what kept the push from it, fit for a log.
    ///
    /// Indirect, as a verdict goes along with every push, and nearly all are accepted.
    indirect case busy(retryAfter: Duration?, scope: Scope, cause: NoAnswer? = nil)
    /// Will never succeed as it is: a wrong payload, or a setting that does not fit this device. The operator must act.
    case refused(reason: String)

    /// For a push that the service did not judge, because it does not take what proves who sends: no fault of the push,
    /// which waits until an operator has acted.
    ///
    /// - Parameters:
    ///   - word: the service's own for that.
    ///   - scope: that of the device if the service takes others' pushes all the same.
    package static func keyRefused(_ word: String, retryAfter: Duration? = nil, scope: Scope = .provider) -> Verdict {
        .busy(retryAfter: retryAfter, scope: scope, cause: NoAnswer(reason: word, obstacle: .refusedKey))
    }

    /// For a push that got no reply, and no word about when to come back.
    package static func noAnswer(_ cause: NoAnswer, scope: Scope = .provider) -> Verdict {
        .busy(retryAfter: nil, scope: scope, cause: cause)
    }
}
