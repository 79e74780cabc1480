import Dispatch
import Synchronization

/// Writes that wait for the writer: a bounded list with many producers and one drainer.
final class WriteQueue: Sendable {
    enum Admission: Sendable, Hashable {
        /// The write is taken in, and nobody drains the queue: the caller must start that.
        case start
        case waits
        case overloaded
        case closed
    }

    private struct State {
        var waiting: [any Write] = []
        /// Empty, with room for the next writes.
        var spare: [any Write] = []
        /// The rows of all writes that were taken in and have not begun.
        var rows = 0
        var isDraining = false
        /// The drainer sleeps until something comes and at least so many rows wait; nil while it is awake.
        var awaitedRows: Int?
        var isClosed = false

        mutating func takeWaiting() -> [any Write] {
            waiting.isEmpty ? [] : exchange(&waiting, with: exchange(&spare, with: []))
        }
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let limit: Int

    /// - Parameter limit: with so many rows waiting, nothing more is taken in. A single write may be larger than that.
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

    /// Takes everything that waits. If nothing does, sleeps until something comes or `patience` is over. An empty
    /// result ends the draining, and the next write starts it again.
    ///
    /// - Parameter room: an empty list of earlier writes, whose memory the next ones use.
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

    /// Sleeps until something waits, or until `patience` is over. Takes nothing, and the draining goes on.
    /// - Returns: whether something waits.
    func awaitsWrite(within patience: DispatchTimeInterval) -> Bool {
        sleep(patience) { $0.waiting.isEmpty ? 0 : nil }
        return state.withLock { !$0.waiting.isEmpty }
    }

    /// Sleeps until so many rows wait, `patience` is over, or the queue is closed.
    func awaitRows(_ count: Int, within patience: DispatchTimeInterval) {
        sleep(patience) { $0.rows < count ? count : nil }
    }

    /// - Parameter awaitedRows: returns nil not to sleep at all.
    private func sleep(_ patience: DispatchTimeInterval, until awaitedRows: (borrowing State) -> Int?) {
        let isAwaited = state.withLock { state in
            state.awaitedRows = state.isClosed ? nil : awaitedRows(state)
            return state.awaitedRows != nil
        }
        if isAwaited { awaitArrival(patience) }
    }

    /// Takes the first waiting writes, with so many rows at most, up to a rehearsal. They count as begun.
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

    /// Takes everything that waits, without sleeping. It does not count as begun.
    func takeWaiting() -> [any Write] { state.withLock { $0.takeWaiting() } }

    private func awaitArrival(_ patience: DispatchTimeInterval) {
        if arrival.wait(timeout: .now() + patience) == .success { return }
        let isAwaited = state.withLock { exchange(&$0.awaitedRows, with: nil) != nil }
        // A write that came after the timeout has signalled, or is about to.
        if !isAwaited { arrival.wait() }
    }

    /// Counts so many rows of the taken writes as begun.
    func begin(rows: Int) { state.withLock { $0.rows -= rows } }

    /// The rows of all writes that were taken in and have not begun.
    var waitingRows: Int { state.withLock { $0.rows } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes in nothing more; waiting writes are still drained.
    func close() {
        let isAwaited = state.withLock { state in
            state.isClosed = true
            return exchange(&state.awaitedRows, with: nil) != nil
        }
        if isAwaited { arrival.signal() }
    }
}
