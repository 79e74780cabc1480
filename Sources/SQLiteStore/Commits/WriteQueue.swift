import Deliveries
import Dispatch
import Synchronization

/// ``WaitingWrites`` with many producers, and one drainer that sleeps while nothing waits.
final class WriteQueue: Sendable {
    private struct State {
        var writes: WaitingWrites
        /// The drainer sleeps until something comes and at least so many rows wait; nil while it is awake.
        var awaitedRows: Int?
    }

    let maximumRows: Int
    private let state: Mutex<State>
    private let arrival = DispatchSemaphore(value: 0)

    /// - Parameter limit: as of ``WaitingWrites``.
    init(limit: Int) {
        maximumRows = limit
        state = Mutex(State(writes: WaitingWrites(limit: limit)))
    }

    func add(_ write: any Write) -> WaitingWrites.Admission {
        let (admission, isAwaited) = state.withLock { state in
            let admission = state.writes.add(write)
            guard admission == .start || admission == .waits else { return (admission, false) }
            let isAwaited = state.awaitedRows.map { state.writes.rows >= $0 } ?? false
            if isAwaited { state.awaitedRows = nil }
            return (admission, isAwaited)
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
            state.writes.reuse(room)
            let writes = state.writes.takeAll()
            let isAwaited = writes.isEmpty && !state.writes.isClosed
            state.awaitedRows = isAwaited ? 0 : nil
            return (writes, isAwaited)
        }
        guard writes.isEmpty else { return writes }
        if isAwaited { awaitArrival(patience) }
        return state.withLock { $0.writes.takeAllOrEnd() }
    }

    /// Sleeps until something waits, or until `patience` is over. Takes nothing, and the draining goes on.
    /// - Returns: whether something waits.
    func awaitsWrite(within patience: DispatchTimeInterval) -> Bool {
        sleep(patience) { $0.isEmpty ? 0 : nil }
        return state.withLock { !$0.writes.isEmpty }
    }

    /// Sleeps until so many rows wait, `patience` is over, or the queue is closed.
    func awaitRows(_ count: Int, within patience: DispatchTimeInterval) {
        sleep(patience) { $0.rows < count ? count : nil }
    }

    /// - Parameter awaitedRows: returns nil not to sleep at all.
    private func sleep(_ patience: DispatchTimeInterval, until awaitedRows: (borrowing WaitingWrites) -> Int?) {
        let isAwaited = state.withLock { state in
            state.awaitedRows = state.writes.isClosed ? nil : awaitedRows(state.writes)
            return state.awaitedRows != nil
        }
        if isAwaited { awaitArrival(patience) }
    }

    /// As ``WaitingWrites/takeMore(rows:)``.
    func takeMore(rows limit: Int) -> [any Write] { state.withLock { $0.writes.takeMore(rows: limit) } }

    /// Takes everything that waits, without sleeping. It does not count as begun.
    func takeWaiting() -> [any Write] { state.withLock { $0.writes.takeAll() } }

    private func awaitArrival(_ patience: DispatchTimeInterval) {
        if arrival.wait(timeout: .now() + patience) == .success { return }
        let isAwaited = state.withLock { exchange(&$0.awaitedRows, with: nil) != nil }
        // A write that came after the timeout has signalled, or is about to.
        if !isAwaited { arrival.wait() }
    }

    /// Counts so many rows of the taken writes as begun.
    func begin(rows: Int) { state.withLock { $0.writes.begin(rows: rows) } }

    /// The rows of all writes that were taken in and have not begun.
    var waitingRows: Int { state.withLock { $0.writes.rows } }

    var isClosed: Bool { state.withLock { $0.writes.isClosed } }

    /// Takes in nothing more; waiting writes are still drained.
    func close() {
        let isAwaited = state.withLock { state in
            state.writes.close()
            return exchange(&state.awaitedRows, with: nil) != nil
        }
        if isAwaited { arrival.signal() }
    }
}
