package import Inbox

/// An event that reaches its people page by page, and how far it has come.
package struct Broadcast: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        case working
        case done
        /// The catalogs that hold now do not take it, for this reason: nobody else gets it.
        case abandoned(String)
    }

    package let event: String
    package var state: State
    /// Whether it is for everybody who had an inbox when it came, beside those who are named.
    package let isForEverybody: Bool
    /// For how many people it is; while it works, and everybody is meant, only about so many.
    package var total: Int
    package var created: Int
    package var updated: Int
    package var suppressed: Int
    package let acceptedAt: Timestamp
    package var endedAt: Timestamp?

    package init(
        event: String, state: State, isForEverybody: Bool, total: Int, created: Int = 0, updated: Int = 0,
        suppressed: Int = 0, acceptedAt: Timestamp, endedAt: Timestamp? = nil
    ) {
        self.event = event
        self.state = state
        self.isForEverybody = isForEverybody
        self.total = total
        self.created = created
        self.updated = updated
        self.suppressed = suppressed
        self.acceptedAt = acceptedAt
        self.endedAt = endedAt
    }

    /// How many have got it so far.
    package var recipients: Int { created + updated }
}
