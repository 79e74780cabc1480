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

    /// Which of the events that a batch gathers are pushed.
    package enum Timing: String, Sendable, Hashable, CaseIterable {
        /// The first one; the push says what has come until it is sent.
        case leading
        /// Each one: the later pushes take the first one's place on the screen.
        case each
        /// One push, at the end of the batch's window.
        case trailing
    }

    package var when: When
    package var urgency: Urgency
    package var timing = Timing.leading
    /// How long a live session may take to acknowledge; nil for the settings' own.
    package var grace: Duration?
    /// At most so many pushes an hour, to one person, of those that fold into one; the others wait for the hour's end
    /// and leave as one. Nil for any number.
    package var perHour: Int?
    /// How long a push is worth sending; nil for the settings' own.
    package var lifetime: Duration?

    package init(
        when: When, urgency: Urgency, grace: Duration? = nil, perHour: Int? = nil, lifetime: Duration? = nil
    ) {
        self.when = when
        self.urgency = urgency
        self.grace = grace
        self.perHour = perHour
        self.lifetime = lifetime
    }

    /// When a push is due whose notification comes at `now`; nil if there is none to send.
    ///
    /// Without a live session nobody can acknowledge it, so waiting would only delay it. A policy of `always` does not
    /// wait for an acknowledgement either.
    ///
    /// - Parameters:
    ///   - grace: the settings' own.
    ///   - notBefore: the publisher's word.
    package func due(at now: Timestamp, isLive: Bool, grace: Duration, notBefore: Timestamp? = nil) -> Timestamp? {
        let waits = isLive && urgency != .urgent
        let due: Timestamp? =
            switch when {
            case .never: nil
            case .always: now
            case .fallback: waits ? now + (self.grace ?? grace) : now
            }
        return due.map { max($0, notBefore ?? $0) }
    }

    /// After which moment a push that is due at `due` is not worth sending.
    ///
    /// - Parameters:
    ///   - lifetime: the settings' own.
    ///   - expiresAt: the publisher's word.
    package func expiry(due: Timestamp, lifetime: Duration, expiresAt: Timestamp? = nil) -> Timestamp {
        let end = due + (self.lifetime ?? lifetime)
        return min(end, expiresAt ?? end)
    }
}
