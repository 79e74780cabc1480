package import Inbox

/// Which event's trail is asked for, and how much of it.
package struct TrailQuery: Sendable, Hashable {
    package enum Name: Sendable, Hashable {
        case id(String)
        /// The latest event that this publisher sent with this key.
        case key(String, publisher: String)
    }

    package var event: Name
    /// Only what was decided about this person.
    package var user: UserID?
    /// So many recipients are passed over.
    package var after: Int
    /// So many recipients are told at most.
    package var limit: Int

    package init(_ event: Name, user: UserID? = nil, after: Int = 0, limit: Int = 100) {
        self.event = event
        self.user = user
        self.after = after
        self.limit = limit
    }
}
