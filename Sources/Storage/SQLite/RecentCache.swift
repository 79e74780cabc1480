/// Remembers at least the `capacity` / 2 and at most the `capacity` most recently used values.
///
/// Two generations instead of a list: what is used moves to the young one, and when that is full the old one is
/// forgotten as a whole. All operations are O(1) amortised.
struct RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generationLimit: Int
    private var young = CompactDictionary<Key, Value>()
    private var old = CompactDictionary<Key, Value>()

    init(capacity: Int) {
        generationLimit = min(max(1, capacity / 2), CompactDictionary<Key, Value>.maximumCount)
    }

    /// Has the values of some keys brought to the processor's cache, as ``CompactDictionary/prefetch(_:_:)`` does.
    func prefetch(_ count: Int, _ key: (Int) -> Key) {
        young.prefetch(count, key)
        // Not to the end: who is still old then was not asked for all the while.
        if young.count < old.count { old.prefetch(count, key) }
    }

    /// The value, which counts as used by this.
    mutating func value(for key: Key) -> Value? {
        if let value = young.value(for: key) { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        add(value, for: key)
        return value
    }

    mutating func keep(_ value: Value, for key: Key) {
        if young.replace(value, for: key) { return }
        // Looking a key up costs its hash, even where there is nothing.
        if !old.isEmpty { old[key] = nil }
        add(value, for: key)
    }

    /// As ``keep(_:for:)``, for a key that is not there.
    mutating func add(_ value: Value, for key: Key) {
        if young.count >= generationLimit {
            old = young
            // As many come again: growing there step by step would copy each of them several times.
            young = CompactDictionary(roomAsIn: old)
        }
        young.add(value, for: key)
    }

    /// Replaces the value where there is one, which counts as used by this.
    ///
    /// - Parameter change: makes the new value; nil for none any more.
    /// - Returns: whether there is one now.
    mutating func update(_ key: Key, _ change: (Value) -> Value?) -> Bool {
        if let isKept = young.update(key, change) { return isKept }
        guard let value = old.removeValue(forKey: key).flatMap(change) else { return false }
        add(value, for: key)
        return true
    }

    mutating func forget(_ key: Key) {
        young[key] = nil
        old[key] = nil
    }
}
