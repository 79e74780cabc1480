package import Inbox

/// What a provider's reply means for the job and the device.
package enum Verdict: Sendable, Hashable {
    case accepted
    /// The device cannot be reached any more, as of the provider's own time if it told one.
    case deviceGone(since: Timestamp?)
    /// Try again later; the provider's own delay if it told one.
    case busy(retryAfter: Duration?)
    /// Will never succeed as it is: a wrong payload, key or topic. The operator must act.
    case refused(reason: String)
}
