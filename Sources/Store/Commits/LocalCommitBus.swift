import Synchronization

/// The announcements of a store that one process has for itself.
package final class LocalCommitBus: CommitBus {
    /// A bare closure in a generic box would be wrapped once more at each access, until the stack overflows.
    private struct Listener {
        var hear: @Sendable (Commit) -> Void = { _ in }
        var surround: @Sendable (_ announce: () -> Void) -> Void = { $0() }
    }

    private let inboxes: SharedInboxMemory
    private let listener = Mutex(Listener())

    /// - Parameter inboxes: hears of each commit first, so that a caller who was told of one finds its state there.
    package init(inboxes: SharedInboxMemory) { self.inboxes = inboxes }

    package func onCommit(
        _ listener: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        self.listener.withLock { $0 = Listener(hear: listener, surround: surround) }
    }

    package func announce(_ commit: Commit, answers: () -> Void) {
        if !commit.isEmpty { inboxes.apply(commit) }
        let listener = listener.withLock { $0 }
        listener.surround {
            if !commit.isEmpty { listener.hear(commit) }
            answers()
        }
    }
}
