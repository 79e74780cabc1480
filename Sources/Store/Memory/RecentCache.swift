/// Remembers the most recently used values: at least `capacity` / 2, at most `capacity`.
///
/// Two generations instead of a list: a used value moves to the young one, and when that is full, the old one is
/// dropped as a whole. All operations are O(1) amortised. Public for the reason that
/// ``CompactDictionary`` has.
public struct RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let generationLimit: Int
    @usableFromInline var young = CompactDictionary<Key, Value>()
    @usableFromInline var old = CompactDictionary<Key, Value>()

    @inlinable public init(capacity: Int) {
        generationLimit = min(max(1, capacity / 2), CompactDictionary<Key, Value>.maximumCount)
    }

    /// Returns the value, and counts it as used.
    @inlinable public mutating func value(for key: Key) -> Value? {
        if let value = young.value(for: key) { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        add(value, for: key)
        return value
    }

    @inlinable public mutating func keep(_ value: Value, for key: Key) {
        if young.replace(value, for: key) { return }
        // Looking up a key costs its hash, even in an empty dictionary.
        if !old.isEmpty { old[key] = nil }
        add(value, for: key)
    }

    /// As ``keep(_:for:)``, for a key that is not present.
    @inlinable public mutating func add(_ value: Value, for key: Key) {
        if young.count >= generationLimit {
            old = young
            // As many mostly come again: growing step by step would copy each of them several times.
            young = CompactDictionary(roomAsIn: old)
        }
        young.add(value, for: key)
    }

    /// Replaces the value if there is one, and counts it as used.
    ///
    /// - Parameter change: returns the new value, or nil to remove it.
    /// - Returns: whether there is a value now.
    @inlinable public mutating func update(_ key: Key, _ change: (Value) -> Value?) -> Bool {
        if let isKept = young.update(key, change) { return isKept }
        guard let value = old.removeValue(forKey: key).flatMap(change) else { return false }
        add(value, for: key)
        return true
    }

    @inlinable public mutating func forget(_ key: Key) {
        young[key] = nil
        old[key] = nil
    }
}
