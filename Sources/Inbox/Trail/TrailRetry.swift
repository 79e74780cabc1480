/// What a push service answered to a failed push that an operator had sent again.
package enum TrailRetry: Sendable, Hashable, LosslessStringConvertible {
    case accepted
    /// Not now. Nobody tries it a third time by itself.
    case busy
    /// The device no longer exists.
    case gone
    /// In the service's own words.
    case refused(reason: String)

    /// The verdict alone, without a reason.
    package var verdict: String {
        switch self {
        case .accepted: "accepted"
        case .busy: "busy"
        case .gone: "gone"
        case .refused: "refused"
        }
    }

    /// As it is stored: the verdict, and the reason behind it.
    package var description: String {
        if case .refused(let reason) = self { "\(verdict) \(reason)" } else { verdict }
    }

    /// - Parameter text: a ``description``.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.dropFirst().first) {
        case ("accepted", nil): self = .accepted
        case ("busy", nil): self = .busy
        case ("gone", nil): self = .gone
        case ("refused", let reason?): self = .refused(reason: reason)
        default: return nil
        }
    }
}
