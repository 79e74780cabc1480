package import Push

/// One event, what came of it in numbers, and its recipients one by one.
package struct TrailReport: Sendable, Hashable {
    package struct Pushes: Sendable, Hashable {
        /// What was decided at first.
        package var queued = 0
        /// What became of them.
        package var sent = 0
        package var cancelled = 0
        package var refused = 0
        package var gone = 0
        package var expired = 0
        package var dropped = 0
        package var waiting = 0

        package init() {}
    }

    /// A refusal, in the provider's word.
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
        /// Who was meant, those who got nothing included.
        package var people = 0
        package var created = 0
        package var grown = 0
        package var suppressed = 0
        /// Who got it while a session of theirs was open.
        package var live = 0
        /// Whose pushes were cancelled because a session had it on screen.
        package var acknowledged = 0
        package var seen = 0
        package var read = 0
        package var pushes = Pushes()
        package var failures: [Failure] = []
        /// Whether everybody's later steps are counted, not only those of the first many thousand.
        package var isWhole = true

        package init() {}
    }

    package let event: TrailedEvent
    /// Of everybody, or of the one person asked for.
    package let summary: Summary
    package let recipients: [TrailedRecipient]
    /// How many recipients to pass over for the next page; nil at the end.
    package let next: Int?

    package init(event: TrailedEvent, summary: Summary, recipients: [TrailedRecipient], next: Int?) {
        self.event = event
        self.summary = summary
        self.recipients = recipients
        self.next = next
    }
}
