import Dispatch
import Synchronization

/// Writes that wait for the writer: a bounded list that anybody may add to and one drains.
final class WriteQueue: Sendable {
    enum Admission: Sendable, Hashable {
        /// Taken in, and nobody drains the queue: the caller must see to it.
        case start
        case waits
        case overloaded
        case closed
    }

    private struct State {
        var waiting: [Write] = []
        /// The rows of all writes that were taken in and are not begun.
        var rows = 0
        var isDraining = false
        /// How many of what waits are publications.
        var publications = 0
        /// Whoever drains it sleeps until so many wait; nil while nobody sleeps.
        var awaited: Int?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let limit: Int

    /// - Parameter limit: with so many rows waiting, nothing more is taken in. One write may exceed it by any size.
    init(limit: Int) { self.limit = limit }

    func add(_ write: Write) -> Admission {
        let (admission, wakes) = state.withLock { state -> (Admission, Bool) in
            if state.isClosed { return (.closed, false) }
            if state.rows >= limit { return (.overloaded, false) }
            state.waiting.append(write)
            state.rows += write.rows
            if write.isPublication { state.publications += 1 }
            let admission = state.isDraining ? Admission.waits : .start
            state.isDraining = true
            // Only publications let themselves be waited for.
            guard let awaited = state.awaited, state.waiting.count >= awaited || !write.isPublication else {
                return (admission, false)
            }
            state.awaited = nil
            return (admission, true)
        }
        if wakes { arrival.signal() }
        return admission
    }

    /// Everything that waits, after a moment for those who are about to come back if ``CommitGathering`` says so. Where
    /// nothing does, it sleeps until something comes, or until `patience` is over: empty then, which ends the draining, and
    /// the next write starts it again.
    func takeAll(patience: Duration, gathering: CommitGathering) -> [Write] {
        let gathers = state.withLock { state in
            guard !state.isClosed, state.publications == state.waiting.count,
                let expected = gathering.expected(waiting: state.publications)
            else { return false }
            state.awaited = expected
            return true
        }
        if gathers { awaitArrival(gathering.window) }
        let (writes, sleeps) = state.withLock { state -> ([Write], Bool) in
            let writes = Self.take(&state)
            let sleeps = writes.isEmpty && !state.isClosed
            state.awaited = sleeps ? 1 : nil
            return (writes, sleeps)
        }
        guard writes.isEmpty else { return writes }
        if sleeps { awaitArrival(patience) }
        return state.withLock { state in
            let writes = Self.take(&state)
            if writes.isEmpty { state.isDraining = false }
            return writes
        }
    }

    private static func take(_ state: inout State) -> [Write] {
        state.publications = 0
        return exchange(&state.waiting, with: [])
    }

    private func awaitArrival(_ limit: Duration) {
        let (seconds, attoseconds) = limit.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        if arrival.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success { return }
        let isAwaited = state.withLock { exchange(&$0.awaited, with: nil) != nil }
        // Whoever came after the timeout has signalled, or is about to.
        if !isAwaited { arrival.wait() }
    }

    /// So many rows of what was taken wait no longer.
    func begin(rows: Int) { state.withLock { $0.rows -= rows } }

    /// The rows of all writes that were taken in and are not done.
    var waitingRows: Int { state.withLock { $0.rows } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes in nothing more; what waits is still drained.
    func close() {
        let isAwaited = state.withLock { state in
            state.isClosed = true
            return exchange(&state.awaited, with: nil) != nil
        }
        if isAwaited { arrival.signal() }
    }
}
