import Synchronization

/// The announcements of a store that one process has for itself.
package final class LocalCommitBus: CommitBus {
    /// A bare closure in a generic box would be wrapped once more at each access, until the stack overflows.
    private struct Listener {
        var written: @Sendable (Commit) -> Void = { _ in }
        var tell: @Sendable (Commit) -> Void = { _ in }
        var surround: @Sendable (_ announce: () -> Void) -> Void = { $0() }
    }

    private let inboxes: SharedInboxMemory
    private let listener = Mutex(Listener())

    /// - Parameter inboxes: hears of each commit first, so that a caller who was told of one finds its state there.
    package init(inboxes: SharedInboxMemory) { self.inboxes = inboxes }

    package func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        listener.withLock { $0 = Listener(written: written, tell: tell, surround: surround) }
    }

    package func announce(_ commit: Commit, answers: () -> Void) {
        if !commit.isEmpty { inboxes.apply(commit) }
        let listener = listener.withLock { $0 }
        listener.surround {
            if !commit.isEmpty {
                listener.written(commit)
                listener.tell(commit)
            }
            answers()
        }
    }
}
