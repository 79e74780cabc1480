/// When a notification type becomes a push, and how urgent the push is.
package struct PushPolicy: Sendable, Hashable {
    package enum When: String, Sendable, Hashable, CaseIterable {
        /// Only if no attentive session acknowledges the notification within the grace.
        case fallback
        case always
        case never
    }

    package enum Urgency: String, Sendable, Hashable, CaseIterable {
        case low, normal
        /// No grace, and the provider's highest priority.
        case urgent
    }

    /// Which of the events that a batch gathers are pushed.
    package enum Timing: String, Sendable, Hashable, CaseIterable {
        /// The first one; its text tells all that has come when it is sent.
        case leading
        /// Each one: a later push takes the first one's place on the screen.
        case each
        /// One push, at the end of the batch's window.
        case trailing
    }

    package var when: When
    package var urgency: Urgency
    package var timing = Timing.leading
    /// How long a live session may take to acknowledge; nil for the grace of the settings.
    package var grace: Duration?
    /// The most pushes an hour to one person, counted over pushes that fold into one; further ones wait for the hour's
    /// end and leave as one. Nil for any number.
    package var perHour: Int?
    /// How long a push is worth sending; nil for the lifetime of the settings.
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

    /// When the push of a notification that comes at `now` is due; nil for no push.
    ///
    /// Without a live session nobody can acknowledge the notification, so the push does not wait. A policy of `always`
    /// does not wait for an acknowledgement either.
    ///
    /// - Parameters:
    ///   - grace: the grace of the settings.
    ///   - notBefore: the publisher's earliest time.
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

    /// The moment after which a push that is due at `due` is not worth sending.
    ///
    /// - Parameters:
    ///   - lifetime: the lifetime of the settings.
    ///   - expiresAt: the publisher's latest time.
    package func expiry(due: Timestamp, lifetime: Duration, expiresAt: Timestamp? = nil) -> Timestamp {
        let end = due + (self.lifetime ?? lifetime)
        return min(end, expiresAt ?? end)
    }
}
