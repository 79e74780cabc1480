package import Push

/// One event, its results in numbers, and its recipients one by one.
package struct TrailReport: Sendable, Hashable {
    package struct Pushes: Sendable, Hashable {
        /// As first decided.
        package var queued = 0
        /// As it turned out.
        package var sent = 0
        package var cancelled = 0
        package var refused = 0
        package var gone = 0
        package var expired = 0
        package var dropped = 0
        package var waiting = 0

        package init() {}
    }

    /// Refusals for one reason, in the provider's word.
    package struct Failure: Sendable, Hashable {
        package let provider: Device.Provider?
        package let reason: String
        package var count: Int

        package init(provider: Device.Provider?, reason: String, count: Int) {
            self.provider = provider
            self.reason = reason
            self.count = count
        }
    }

    package struct Summary: Sendable, Hashable {
        /// The people that the event was for, including those who got nothing.
        package var people = 0
        package var created = 0
        package var grown = 0
        package var suppressed = 0
        /// How many people got it while they had an open session.
        package var live = 0
        /// How many people's pushes were cancelled because a session had it on screen.
        package var acknowledged = 0
        package var seen = 0
        package var read = 0
        package var pushes = Pushes()
        package var failures: [Failure] = []
        /// Whether all people's later steps are counted, not only those of the first many thousand.
        package var isWhole = true

        package init() {}
    }

    package let event: TrailedEvent
    /// About all people, or about the one person asked for.
    package let summary: Summary
    package let recipients: [TrailedRecipient]
    /// How many recipients to skip for the next page; nil at the end.
    package let next: Int?

    package init(event: TrailedEvent, summary: Summary, recipients: [TrailedRecipient], next: Int?) {
        self.event = event
        self.summary = summary
        self.recipients = recipients
        self.next = next
    }
}
