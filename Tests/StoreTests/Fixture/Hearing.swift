import Inbox
import Store
import Synchronization

/// What sessions would have heard of a store's commits, for tests that wait for it.
final class Hearing: Sendable {
    private struct State {
        var commits: [Commit] = []
        var waiting: [(condition: @Sendable ([Commit]) -> Bool, resume: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    var commits: [Commit] { state.withLock(\.commits) }

    func hear(_ commit: Commit) {
        let resumed = state.withLock { state in
            state.commits.append(commit)
            let (done, rest) = (
                state.waiting.filter { $0.condition(state.commits) },
                state.waiting.filter { !$0.condition(state.commits) }
            )
            state.waiting = rest
            return done
        }
        for one in resumed { one.resume() }
    }

    /// Waits until everything that was heard satisfies a condition.
    func wait(until condition: @escaping @Sendable ([Commit]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if condition(state.commits) { return true }
                state.waiting.append((condition, { continuation.resume() }))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// The numbers of an inbox's changes, as they were heard.
    func seqs(of user: UserID) -> [Int64] { commits.seqs(of: user) }
}

extension [Commit] {
    func seqs(of user: UserID) -> [Int64] {
        flatMap(\.inboxes).filter { $0.user == user }.map(\.change.stamp.seq)
    }

    func offsets(of feed: String) -> [Int64] {
        flatMap(\.feeds).filter { $0.item.feed == feed }.map(\.position.offset)
    }
}
