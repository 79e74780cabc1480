package import Inbox

/// The event whose trail is asked for, and which part of it.
package struct TrailQuery: Sendable, Hashable {
    package enum Name: Sendable, Hashable {
        case id(String)
        /// The latest event that this publisher sent with this key.
        case key(String, publisher: String)
    }

    package var event: Name
    /// Only the decisions about this person.
    package var user: UserID?
    /// How many recipients to skip.
    package var after: Int
    /// How many recipients to return at most.
    package var limit: Int

    package init(_ event: Name, user: UserID? = nil, after: Int = 0, limit: Int = 100) {
        self.event = event
        self.user = user
        self.after = after
        self.limit = limit
    }
}
