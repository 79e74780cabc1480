package import Inbox

/// The state of one push job; decides the step after a verdict.
package struct PushAttempt: Sendable, Hashable {
    package private(set) var failures: Int
    /// The provider's latest verdict; nil before the first.
    package private(set) var lastVerdict: Verdict?
    /// The time after which a late push would only confuse.
    package let expiry: Timestamp
    /// The sum of the jumps that the clock had followed when the push was handed out. All times of the attempt are of that
    /// clock, also those of its actions.
    package let clockMoved: Duration

    package init(failures: Int = 0, expiry: Timestamp, clockMoved: Duration = .zero) {
        (self.failures, self.expiry, self.clockMoved) = (failures, expiry, clockMoved)
    }

    /// Takes in the provider's verdict on this job's push.
    ///
    /// - Parameters:
    ///   - jitter: uniform in `0..<1`, drawn by the caller so that a test can choose it.
    ///   - device: the device as it was when the push was sent.
    package mutating func settle(
        _ verdict: Verdict, at now: Timestamp, jitter: Double, device: @autoclosure () -> Device
    ) -> PushAction {
        lastVerdict = verdict
        switch verdict {
        case .accepted:
            return .finish
        case .deviceGone(let since):
            // A token that was registered, or registered again, after the provider lost it is in use again.
            let device = device()
            if let since, max(device.registeredAt, device.lastSeenAt) >= since {
                return retry(after: nil, at: now, jitter: jitter)
            }
            return .forgetDevice
        case .busy(let retryAfter, _, _):
            return retry(after: retryAfter, at: now, jitter: jitter)
        case .refused(let reason):
            return .abandon(reason: reason)
        }
    }

    private mutating func retry(after told: Duration?, at now: Timestamp, jitter: Double) -> PushAction {
        failures += 1
        // A provider's own delay wins, because an early return lengthens the throttling. "At once" is no delay.
        let delay = told.map { max($0, .seconds(1)) } ?? Backoff.delay(afterFailures: failures, jitter: jitter)
        let next = now + delay
        return next < expiry ? .retry(at: next) : .abandon(reason: PushAction.expired)
    }
}

/// The step for a push job after a verdict.
package enum PushAction: Sendable, Hashable {
    case finish
    /// Forgets the device and all its jobs, unless it has registered another token by now.
    case forgetDevice
    case retry(at: Timestamp)
    case abandon(reason: String)

    /// The reason of an ``abandon(reason:)`` that Belfry decides; all others are the provider's words.
    package static let expired = "expired"

    /// The same by a clock that was set by `span` since.
    package func moved(by span: Duration) -> Self {
        if case .retry(let due) = self { .retry(at: due + span) } else { self }
    }
}
