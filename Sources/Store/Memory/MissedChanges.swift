import Inbox

/// The changes that a client has missed, as they were committed.
struct MissedChanges: Sendable {
    /// The inbox after the last change.
    let state: InboxState
    let changes: [InboxChange]

    /// The answer to the client.
    var recovery: Recovery { Recovery(state: state, result: .changes(ReplayedChanges(changes).changes)) }
}
