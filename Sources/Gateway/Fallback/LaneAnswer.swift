package import Push

/// A verdict's meaning for the provider, apart from the device.
package enum LaneAnswer: Sendable, Hashable {
    /// The provider works: it judged the push, or put off this one device.
    case works
    /// The provider fails: no answer, an error of its own, a quota, or our key; with its own delay, if any.
    case fails(retryAfter: Duration?)

    package init(_ verdict: Verdict) {
        switch verdict {
        // The next push would carry the same key: the lane pauses at once, as if the provider had asked for it.
        case .busy(let retryAfter, .provider, let cause?) where cause.obstacle == .refusedKey:
            self = .fails(retryAfter: retryAfter ?? .zero)
        case .busy(let retryAfter, .provider, _): self = .fails(retryAfter: retryAfter)
        case .accepted, .deviceGone, .busy(_, .device, _), .refused: self = .works
        }
    }
}
