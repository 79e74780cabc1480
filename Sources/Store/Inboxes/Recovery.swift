package import Inbox

/// The changes that bring a session in sync.
package struct Recovery: Sendable {
    package enum Result: Sendable {
        /// All changes after the client's position, in order; none for a client without a position.
        case changes([InboxChange])
        /// The first page instead, as the position is of another epoch, too old, or ahead of the inbox.
        case reset([Notification])
    }

    /// The inbox as of the read.
    package let state: InboxState
    package let result: Result

    package init(state: InboxState, result: Result) {
        self.state = state
        self.result = result
    }
}
