package import Push

/// What a verdict says about the provider, whatever it says about the device.
package enum LaneAnswer: Sendable, Hashable {
    /// It works: it judged the push, or put off this one device.
    case works
    /// It does not: no answer, an error of its own, a quota, our key; with its own word about when to come back.
    case fails(retryAfter: Duration?)

    package init(_ verdict: Verdict) {
        switch verdict {
        // The next push would carry the same key: the lane pauses at once, as if the provider had said so.
        case .busy(let retryAfter, .provider, let cause?) where cause.obstacle == .refusedKey:
            self = .fails(retryAfter: retryAfter ?? .zero)
        case .busy(let retryAfter, .provider, _): self = .fails(retryAfter: retryAfter)
        case .accepted, .deviceGone, .busy(_, .device, _), .refused: self = .works
        }
    }
}
