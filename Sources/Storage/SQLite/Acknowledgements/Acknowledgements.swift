import Inbox
import Synchronization

/// Acknowledgements on their way to the writer: the newest of each user, and one write for all that came meanwhile.
///
/// Those that could not be written are kept and come again, before any push is handed out.
final class Acknowledgements: Sendable {
    struct One: Sendable, Hashable {
        let seq: Int64
        let time: Timestamp
    }

    /// Hears what became of an acknowledgement, on the store's queues.
    typealias Answer = @Sendable (Result<Void, StoreError>) -> Void

    fileprivate struct Load {
        var ones: [UserID: One] = [:]
        /// Of those who asked for one; few do.
        var answers: [UserID: [Answer]] = [:]
        var hasMore = false

        func tell(_ result: Result<Void, StoreError>) {
            for answers in answers.values { for answer in answers { answer(result) } }
        }
    }

    private struct State {
        var waiting = Load()
        /// What is in an open transaction, by batch.
        var underWay: [ObjectIdentifier: [UserID: One]] = [:]
        /// A write is on its way that takes them.
        var hasWrite = false
    }

    private let state = Mutex(State())

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.ones.count } }

    /// Whether one of the user's is not written yet.
    func isWaiting(_ user: UserID) -> Bool {
        state.withLock { state in
            state.waiting.ones[user] != nil || state.underWay.values.contains { $0[user] != nil }
        }
    }

    /// - Returns: whether the writer must be told.
    func add(_ one: One, of user: UserID, _ answer: Answer? = nil) -> Bool {
        state.withLock { state in
            if let answer { state.waiting.answers[user, default: []].append(answer) }
            if let earlier = state.waiting.ones[user], earlier.seq >= one.seq { return false }
            state.waiting.ones[user] = one
            return !exchange(&state.hasWrite, with: true)
        }
    }

    /// The writer takes nothing any more: what waits is given up.
    func giveUp(_ error: StoreError) {
        let given = state.withLock { state in
            state.hasWrite = false
            return exchange(&state.waiting, with: Load())
        }
        given.tell(.failure(error))
    }

    /// Takes so many at most; `hasMore` tells of others, for which another write has to come.
    private func take(_ limit: Int, for batch: Batch) -> Load {
        state.withLock { state in
            var load = Load()
            if state.waiting.ones.count <= limit {
                load = exchange(&state.waiting, with: Load())
                state.hasWrite = false
            } else {
                load.hasMore = true
                for (user, one) in Array(state.waiting.ones.prefix(limit)) {
                    load.ones[user] = one
                    state.waiting.ones[user] = nil
                    load.answers[user] = state.waiting.answers.removeValue(forKey: user)
                }
            }
            if !load.ones.isEmpty { state.underWay[ObjectIdentifier(batch)] = load.ones }
            return load
        }
    }

    /// - Parameter keeps: whether they wait again, unless newer ones of their users do.
    /// - Returns: whether the writer must be told.
    private func end(_ load: Load, of batch: Batch, keeps: Bool) -> Bool {
        guard !load.ones.isEmpty else { return false }
        return state.withLock { state in
            state.underWay[ObjectIdentifier(batch)] = nil
            guard keeps else { return false }
            state.waiting.ones.merge(load.ones) { newer, older in newer.seq >= older.seq ? newer : older }
            return !exchange(&state.hasWrite, with: true)
        }
    }

    private func divide(_ load: Load, of batch: Batch) -> [Batch] {
        let parts = load.ones.map { user, one in
            Batch(of: self, Load(ones: [user: one], answers: load.answers.filter { $0.key == user }))
        }
        state.withLock { state in
            state.underWay[ObjectIdentifier(batch)] = nil
            for part in parts { state.underWay[ObjectIdentifier(part)] = part.ones }
        }
        return parts
    }

    /// What one write takes, and takes again if its transaction is undone and it comes anew.
    final class Batch: Sendable {
        private let source: Acknowledgements
        private let limit: Int
        private let taken: Mutex<Load?>

        init(of source: Acknowledgements, limit: Int) {
            (self.source, self.limit) = (source, limit)
            taken = Mutex(nil)
        }

        fileprivate init(of source: Acknowledgements, _ load: Load) {
            (self.source, limit) = (source, load.ones.count)
            taken = Mutex(load)
        }

        fileprivate var ones: [UserID: One] { taken.withLock { $0?.ones ?? [:] } }

        /// Each of them by itself, so that one that cannot be written holds up no other; none of one alone.
        func divided() -> [Batch] {
            let load = taken.withLock { taken -> Load? in
                guard let load = taken, load.ones.count > 1 else { return nil }
                taken = nil
                return load
            }
            return load.map { source.divide($0, of: self) } ?? []
        }

        func take() -> [UserID: One] {
            taken.withLock { taken in
                if let ones = taken?.ones { return ones }
                let load = source.take(limit, for: self)
                taken = load
                return load.ones
            }
        }

        /// Whether there were more than it could take.
        var leftSome: Bool { taken.withLock { $0?.hasMore ?? false } }

        /// They are on the disk.
        func written() {
            let load = taken.withLock { exchange(&$0, with: nil) } ?? Load()
            _ = source.end(load, of: self, keeps: false)
            load.tell(.success(()))
        }

        /// They could not be written, and whoever asked is told so.
        ///
        /// - Parameter keeps: whether they are to be tried again.
        /// - Returns: whether the writer must be told of those that wait again.
        func failed(_ error: StoreError, keeps: Bool) -> Bool {
            // A database that is held by somebody else is not even opened for it: it has taken nothing then.
            let load = taken.withLock { exchange(&$0, with: nil) } ?? source.take(limit, for: self)
            let mustTell = source.end(load, of: self, keeps: keeps)
            load.tell(.failure(error))
            return mustTell
        }
    }
}
