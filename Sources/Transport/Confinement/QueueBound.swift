package import Dispatch

/// State that only `queue` may touch; any other use traps instead of racing.
package final class QueueBound<State>: @unchecked Sendable {  // every path to `state` checks `queue` or runs on it
    package let queue: DispatchQueue
    /// The shard of the queue; nil for a plain queue.
    private let shard: Shard?
    private var state: State

    package init(_ state: sending State, on queue: DispatchQueue) {
        self.state = state
        self.queue = queue
        shard = nil
    }

    package init(_ state: sending State, on queue: SerialQueue) {
        self.state = state
        switch queue {
        case .dispatch(let queue): (self.queue, shard) = (queue, nil)
        case .shard(let shard): (self.queue, self.shard) = (shard.queue, shard)
        }
    }

    /// For code already on the queue: event handlers and timers.
    package func withState<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        dispatchPrecondition(condition: .onQueue(queue))
        return try body(&state)
    }

    /// For everyone else.
    package func post(_ body: @escaping @Sendable (inout State) -> Void) {
        if let shard {
            shard.post { _ in body(&self.state) }
        } else {
            queue.async { body(&self.state) }
        }
    }
}
