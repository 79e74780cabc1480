import Inbox
import Synchronization

/// Acknowledgements on their way to the writer: the newest of each user, and one write for all that came meanwhile.
final class Acknowledgements: Sendable {
    struct One: Sendable, Hashable {
        let seq: Int64
        let time: Timestamp
    }

    private struct State {
        var waiting: [UserID: One] = [:]
        /// A write is on its way that takes them.
        var hasWrite = false
    }

    private let state = Mutex(State())

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// - Returns: whether the writer must be told.
    func add(_ one: One, of user: UserID) -> Bool {
        state.withLock { state in
            if let earlier = state.waiting[user], earlier.seq >= one.seq { return false }
            state.waiting[user] = one
            return !exchange(&state.hasWrite, with: true)
        }
    }

    /// The writer takes nothing: what waits is given up.
    func removeAll() { state.withLock { $0 = State() } }

    /// Takes so many at most; `hasMore` tells of others, for which another write has to come.
    private func take(_ limit: Int) -> (taken: [UserID: One], hasMore: Bool) {
        state.withLock { state in
            guard state.waiting.count > limit else {
                defer { state = State() }
                return (state.waiting, false)
            }
            let taken = Dictionary(uniqueKeysWithValues: state.waiting.prefix(limit).map { ($0.key, $0.value) })
            for user in taken.keys { state.waiting[user] = nil }
            return (taken, true)
        }
    }

    /// What one write takes, and takes again if its transaction is undone and it comes anew.
    final class Batch: Sendable {
        private struct Taken {
            var ones: [UserID: One]?
            var hasMore = false
        }

        private let source: Acknowledgements
        private let limit: Int
        private let taken = Mutex(Taken())

        init(of source: Acknowledgements, limit: Int) { (self.source, self.limit) = (source, limit) }

        func take() -> [UserID: One] {
            taken.withLock { taken in
                if let ones = taken.ones { return ones }
                let (ones, hasMore) = source.take(limit)
                taken = Taken(ones: ones, hasMore: hasMore)
                return ones
            }
        }

        /// Whether there were more than it could take.
        var leftSome: Bool { taken.withLock { $0.hasMore } }
    }
}
