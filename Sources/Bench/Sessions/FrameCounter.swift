import Synchronization

/// The number of received publications so far, for waiting code on another thread.
package final class FrameCounter: Sendable {
    private let count = Atomic(0)

    package init() {}

    package var value: Int { count.load(ordering: .relaxed) }

    package func add(_ more: Int) { count.wrappingAdd(more, ordering: .relaxed) }

    package func set(_ value: Int) { count.store(value, ordering: .relaxed) }
}
