package import Push

/// What a verdict says about the provider, whatever it says about the device.
package enum LaneAnswer: Sendable, Hashable {
    /// It works: it judged the push, or put off this one device.
    case works
    /// It does not: no answer, an error of its own, a quota; with its own word about when to come back.
    case fails(retryAfter: Duration?)

    package init(_ verdict: Verdict) {
        switch verdict {
        case .busy(let retryAfter, .provider, _): self = .fails(retryAfter: retryAfter)
        case .accepted, .deviceGone, .busy(_, .device, _), .refused: self = .works
        }
    }
}
