package import Inbox

/// The progress of an event that is delivered page by page.
package struct Broadcast: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case working
        case done
        /// Delivery ended early for this reason: the current catalogs do not take the event, its publisher took it
        /// back, or it cannot be read.
        case abandoned(String)
    }

    package let event: String
    /// As a key of the event's app.
    package let publisher: String
    package var state: State
    /// Whether it is also for everybody who had an inbox when it came, beside the named people.
    package let isForEverybody: Bool
    /// The number of people it is for; only approximate while a broadcast to everybody is working.
    package var total: Int
    package var created: Int
    package var updated: Int
    package var suppressed: Int
    package let acceptedAt: Timestamp
    package var endedAt: Timestamp?

    package init(
        event: String, publisher: String = "", state: State, isForEverybody: Bool, total: Int, created: Int = 0,
        updated: Int = 0,
        suppressed: Int = 0, acceptedAt: Timestamp, endedAt: Timestamp? = nil
    ) {
        self.event = event
        self.publisher = publisher
        self.state = state
        self.isForEverybody = isForEverybody
        self.total = total
        self.created = created
        self.updated = updated
        self.suppressed = suppressed
        self.acceptedAt = acceptedAt
        self.endedAt = endedAt
    }

    package var app: AppName { AppName(ofKey: publisher) }

    /// How many people have got it so far.
    package var recipients: Int { created + updated }
}
