/// When a notification type becomes a push, and how pressing it is.
package struct PushPolicy: Sendable, Hashable {
    package enum When: String, Sendable, Hashable, CaseIterable {
        /// Only if no attentive session acknowledged it within the grace.
        case fallback
        case always
        case never
    }

    package enum Urgency: String, Sendable, Hashable, CaseIterable {
        case low, normal
        /// Breaks through: no grace, the provider's highest priority.
        case urgent
    }

    package var when: When
    package var urgency: Urgency

    package init(when: When, urgency: Urgency) {
        self.when = when
        self.urgency = urgency
    }

    /// When a push is due whose notification comes at `now`; nil if there is none to send.
    ///
    /// Without a live session nobody can acknowledge it, so waiting would only delay it. A policy of `always` does not
    /// wait for an acknowledgement either.
    package func due(at now: Timestamp, isLive: Bool, grace: Duration) -> Timestamp? {
        switch when {
        case .never: nil
        case .always: now
        case .fallback: isLive && urgency != .urgent ? now + grace : now
        }
    }
}
