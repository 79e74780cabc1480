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
        var isClosed = false
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: with so many rows waiting, nothing more is taken in. One write may exceed it by any size.
    init(limit: Int) { self.limit = limit }

    func add(_ write: Write) -> Admission {
        state.withLock { state in
            if state.isClosed { return .closed }
            if state.rows >= limit { return .overloaded }
            state.waiting.append(write)
            state.rows += write.rows
            if state.isDraining { return .waits }
            state.isDraining = true
            return .start
        }
    }

    /// Everything that waits; empty ends the draining, and the next write starts it again.
    func takeAll() -> [Write] {
        state.withLock { state in
            let writes = state.waiting
            state.waiting = []
            if writes.isEmpty { state.isDraining = false }
            return writes
        }
    }

    /// So many rows of what was taken wait no longer.
    func begin(rows: Int) { state.withLock { $0.rows -= rows } }

    /// The rows of all writes that were taken in and are not done.
    var waitingRows: Int { state.withLock { $0.rows } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes in nothing more; what waits is still drained.
    func close() { state.withLock { $0.isClosed = true } }
}
