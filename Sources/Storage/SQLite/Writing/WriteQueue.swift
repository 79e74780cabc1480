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
        var waiting: [any Write] = []
        /// Empty, with the room in which the next ones are to wait.
        var spare: [any Write] = []
        /// The rows of all writes that were taken in and are not begun.
        var rows = 0
        var isDraining = false
        /// Whoever drains it sleeps until something comes, with which at least so many rows wait; nil: nobody sleeps.
        var awaitedRows: Int?
        var isClosed = false

        mutating func takeWaiting() -> [any Write] {
            waiting.isEmpty ? [] : exchange(&waiting, with: exchange(&spare, with: []))
        }
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let limit: Int

    /// - Parameter limit: with so many rows waiting, nothing more is taken in. One write may exceed it by any size.
    init(limit: Int) { self.limit = limit }

    func add(_ write: any Write) -> Admission {
        let (admission, isAwaited) = state.withLock { state -> (Admission, Bool) in
            if state.isClosed { return (.closed, false) }
            if state.rows >= limit { return (.overloaded, false) }
            state.waiting.append(write)
            state.rows += write.rows
            let isAwaited = state.awaitedRows.map { state.rows >= $0 } ?? false
            if isAwaited { state.awaitedRows = nil }
            defer { state.isDraining = true }
            return (state.isDraining ? .waits : .start, isAwaited)
        }
        if isAwaited { arrival.signal() }
        return admission
    }

    /// Everything that waits. Where nothing does, it sleeps until something comes, or until `patience` is over: empty
    /// then, which ends the draining, and the next write starts it again.
    ///
    /// - Parameter room: empty, of those that were taken before: whoever adds the next ones need not look for as much
    ///   again.
    func takeAll(patience: DispatchTimeInterval, leaving room: [any Write] = []) -> [any Write] {
        let (writes, isAwaited) = state.withLock { state -> ([any Write], Bool) in
            state.spare = room
            let writes = state.takeWaiting()
            let isAwaited = writes.isEmpty && !state.isClosed
            state.awaitedRows = isAwaited ? 0 : nil
            return (writes, isAwaited)
        }
        guard writes.isEmpty else { return writes }
        if isAwaited { awaitArrival(patience) }
        return state.withLock { state in
            let writes = state.takeWaiting()
            if writes.isEmpty { (state.isDraining, state.spare) = (false, []) }
            return writes
        }
    }

    /// Sleeps until something waits, or until `patience` is over. Nothing is taken, and the draining goes on.
    /// - Returns: whether something waits.
    func awaitsWrite(within patience: DispatchTimeInterval) -> Bool {
        sleep(patience) { $0.waiting.isEmpty ? 0 : nil }
        return state.withLock { !$0.waiting.isEmpty }
    }

    /// Sleeps until so many rows wait, or until `patience` is over, or until the queue is closed.
    func awaitRows(_ count: Int, within patience: DispatchTimeInterval) {
        sleep(patience) { $0.rows < count ? count : nil }
    }

    /// - Parameter awaitedRows: nil not to sleep at all.
    private func sleep(_ patience: DispatchTimeInterval, until awaitedRows: (borrowing State) -> Int?) {
        let isAwaited = state.withLock { state in
            state.awaitedRows = state.isClosed ? nil : awaitedRows(state)
            return state.awaitedRows != nil
        }
        if isAwaited { awaitArrival(patience) }
    }

    /// The first of those that wait, with so many rows at most, up to one that shares its transaction with nothing.
    /// They are begun by that.
    func takeMore(rows limit: Int) -> [any Write] {
        state.withLock { state in
            var (count, rows) = (0, 0)
            for write in state.waiting {
                guard !write.isRehearsal, rows + write.rows <= limit else { break }
                (count, rows) = (count + 1, rows + write.rows)
            }
            guard count > 0 else { return [] }
            state.rows -= rows
            guard count < state.waiting.count else { return state.takeWaiting() }
            let taken = Array(state.waiting[..<count])
            state.waiting.removeFirst(count)
            return taken
        }
    }

    private func awaitArrival(_ patience: DispatchTimeInterval) {
        if arrival.wait(timeout: .now() + patience) == .success { return }
        let isAwaited = state.withLock { exchange(&$0.awaitedRows, with: nil) != nil }
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
            return exchange(&state.awaitedRows, with: nil) != nil
        }
        if isAwaited { arrival.signal() }
    }
}
