import Inbox

/// What a client has missed, as it was committed.
struct MissedChanges: Sendable {
    /// The inbox as of the last of them.
    let state: InboxState
    let changes: [InboxChange]

    /// What the client is told.
    var recovery: Recovery { Recovery(state: state, result: .changes(ReplayedChanges(changes).changes)) }
}
