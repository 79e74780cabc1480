import Inbox

/// Values by their time, those of the same time in the order in which they came: a binary heap.
struct EarliestFirst<Value> {
    private var entries: [(time: Timestamp, order: Int, value: Value)] = []
    private var order = 0

    var firstTime: Timestamp? { entries.first?.time }
    var values: [Value] { entries.map(\.value) }

    mutating func insert(_ value: Value, at time: Timestamp) {
        entries.append((time, order, value))
        order += 1
        var child = entries.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes and returns the first value, if its time has come.
    mutating func pop(until now: Timestamp) -> Value? {
        guard let first = entries.first, first.time <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while case let child = parent * 2 + 1, child < entries.count {
            let least = child + 1 < entries.count && isBefore(child + 1, child) ? child + 1 : child
            guard isBefore(least, parent) else { break }
            entries.swapAt(least, parent)
            parent = least
        }
        return first.value
    }

    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (entries[one].time, entries[one].order) < (entries[other].time, entries[other].order)
    }
}
