package import Inbox

/// The effect of a command: how many rows it changed, and the inbox after it.
package struct CommandOutcome: Sendable, Hashable {
    package let count: Int64
    package let state: InboxState

    package init(count: Int64, state: InboxState) {
        self.count = count
        self.state = state
    }
}
