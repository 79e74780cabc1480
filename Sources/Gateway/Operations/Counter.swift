import Synchronization

/// A number that only grows.
package final class Counter: Sendable {
    private let value = Atomic(0)

    package init() {}

    package func add(_ count: Int = 1) { value.wrappingAdd(count, ordering: .relaxed) }
    package var count: Int { value.load(ordering: .relaxed) }
}

/// A number that goes up and down.
package final class Gauge: Sendable {
    private let value = Atomic(0)

    package func add(_ count: Int) { value.wrappingAdd(count, ordering: .relaxed) }
    package func set(_ count: Int) { value.store(count, ordering: .relaxed) }
    package var level: Int { value.load(ordering: .relaxed) }
}
