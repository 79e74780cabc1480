import Inbox
import Store
import Synchronization

/// Acknowledgements on their way to the writer: the newest of each user, and one write for all that came meanwhile.
///
/// Those that could not be written are kept and written again before any push is handed out.
final class Acknowledgements: Sendable {
    struct One: Sendable, Hashable {
        let seq: Int64
        let time: Timestamp
    }

    /// Gets the result of an acknowledgement, on the store's queues.
    typealias Answer = @Sendable (Result<Void, StoreError>) -> Void

    fileprivate struct Load {
        var ones: [UserID: One] = [:]
        /// The callers that want an answer; there are few.
        var answers: [UserID: [Answer]] = [:]
        var hasMore = false

        /// Takes in an earlier load of the same batch.
        mutating func merge(_ earlier: Load) {
            ones.merge(earlier.ones) { $0.seq >= $1.seq ? $0 : $1 }
            answers.merge(earlier.answers) { $1 + $0 }
        }

        func tell(_ result: Result<Void, StoreError>) {
            for answers in answers.values { for answer in answers { answer(result) } }
        }
    }

    private struct State {
        var waiting = Load()
        /// Those in an open transaction, by batch.
        var underWay: [ObjectIdentifier: [UserID: One]] = [:]
        /// Whether a write is on its way that takes them.
        var hasWrite = false
    }

    private let state = Mutex(State())

    /// How many users' acknowledgements wait.
    var count: Int { state.withLock { $0.waiting.ones.count } }

    /// Whether an acknowledgement of the user is not written yet.
    func isWaiting(_ user: UserID) -> Bool {
        state.withLock { state in
            state.waiting.ones[user] != nil || state.underWay.values.contains { $0[user] != nil }
        }
    }

    /// - Returns: whether a write must be queued.
    func add(_ one: One, of user: UserID, _ answer: Answer? = nil) -> Bool {
        state.withLock { state in
            if let answer { state.waiting.answers[user, default: []].append(answer) }
            if let earlier = state.waiting.ones[user], earlier.seq >= one.seq { return false }
            state.waiting.ones[user] = one
            return !exchange(&state.hasWrite, with: true)
        }
    }

    /// Gives up all that wait, as the writer takes no more writes.
    func giveUp(_ error: StoreError) {
        let given = state.withLock { state in
            state.hasWrite = false
            return exchange(&state.waiting, with: Load())
        }
        given.tell(.failure(error))
    }

    /// Takes at most `limit`, beside those that the batch already has. `hasMore` tells that others are left, which need
    /// another write.
    private func take(_ limit: Int, for batch: Batch, beside earlier: Load = Load()) -> Load {
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
            load.merge(earlier)
            if !load.ones.isEmpty { state.underWay[ObjectIdentifier(batch)] = load.ones }
            return load
        }
    }

    /// - Parameter keeps: whether they wait again, unless newer ones of the same users do.
    /// - Returns: whether a write must be queued.
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

    /// The acknowledgements of one write, which it takes again if its transaction is undone and it runs anew.
    final class Batch: Sendable {
        private let source: Acknowledgements
        private let limit: Int
        private let taken: Mutex<Load?>

        /// - Parameter limit: `.max` for all that wait.
        init(of source: Acknowledgements, limit: Int) {
            (self.source, self.limit) = (source, limit)
            taken = Mutex(nil)
        }

        fileprivate init(of source: Acknowledgements, _ load: Load) {
            (self.source, limit) = (source, load.ones.count)
            taken = Mutex(load)
        }

        fileprivate var ones: [UserID: One] { taken.withLock { $0?.ones ?? [:] } }

        /// Divides it into batches of one each, so that one that cannot be written holds up no other. Empty for a batch
        /// of one.
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
                if let earlier = taken, limit < .max { return earlier.ones }
                // In each new run, too: those that another write of the transaction took and could not write wait
                // again. Otherwise a push could be handed out here although it is acknowledged.
                let load = source.take(limit, for: self, beside: taken ?? Load())
                taken = load
                return load.ones
            }
        }

        /// Whether some had to be left.
        var leftSome: Bool { taken.withLock { $0?.hasMore ?? false } }

        /// Notes that they are on the disk.
        func written() {
            let load = taken.withLock { exchange(&$0, with: nil) } ?? Load()
            _ = source.end(load, of: self, keeps: false)
            load.tell(.success(()))
        }

        /// Notes that they could not be written, and tells their callers.
        ///
        /// - Parameter keeps: whether they are to be tried again.
        /// - Returns: whether a write must be queued for those that wait again.
        func failed(_ error: StoreError, keeps: Bool) -> Bool {
            // While another tool holds the database the write does not even run, and so has taken nothing yet.
            let load = taken.withLock { exchange(&$0, with: nil) } ?? source.take(limit, for: self)
            let mustTell = source.end(load, of: self, keeps: keeps)
            load.tell(.failure(error))
            return mustTell
        }
    }
}
