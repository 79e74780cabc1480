import Dispatch
package import Store

/// Decides when a store in memory does its work. Each kind keeps its order.
package protocol StoreExecutor: Sendable {
    /// A transaction with its commit.
    func write(_ work: @escaping @Sendable () -> Void)
    func read(_ work: @escaping @Sendable () -> Void)
    /// The listeners and the answer of a commit or a read.
    func announce(_ work: @escaping @Sendable () -> Void)
    /// Whether listeners hear of the next commit: false only to see whether a test notices.
    func isTold() -> Bool
    /// Why the next transaction or read fails; nil if it does not.
    func failure(isRead: Bool) -> StoreError?
}

extension StoreExecutor {
    package func isTold() -> Bool { true }
    package func failure(isRead: Bool) -> StoreError? { nil }
}

/// One piece of work after the other, without a pause.
struct QueueExecutor: StoreExecutor {
    private let queue = DispatchQueue(label: "memory store")

    func write(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
    func read(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
    func announce(_ work: @escaping @Sendable () -> Void) { work() }
}
