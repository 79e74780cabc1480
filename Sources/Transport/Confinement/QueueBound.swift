package import Dispatch

/// State that only `queue` may touch; any other use traps instead of racing.
package final class QueueBound<State>: @unchecked Sendable {  // every path to `state` checks `queue` or runs on it
    package let queue: DispatchQueue
    private var state: State

    package init(_ state: sending State, on queue: DispatchQueue) {
        self.state = state
        self.queue = queue
    }

    /// For code already on the queue: event handlers and timers.
    package func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        dispatchPrecondition(condition: .onQueue(queue))
        return try body(&state)
    }

    /// For everyone else.
    package func post(_ body: @escaping @Sendable (inout State) -> Void) {
        queue.async { body(&self.state) }
    }
}
