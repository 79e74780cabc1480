/// Values by key, in less memory than a dictionary takes.
///
/// A dictionary leaves a quarter to five eighths of its slots empty, each as wide as a key and a value. Here an empty
/// slot takes four bytes: slots hold the indices of entries, which lie without gaps in an array that grows by an
/// eighth.
///
/// Public, as only then other modules specialize it: a `package` type's `@inlinable` members stay calls of generic code,
/// and those take 4 % of a publish's instructions.
public struct CompactDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline let key: Key
        @usableFromInline var value: Value

        @inlinable init(key: Key, value: Value) { (self.key, self.value) = (key, value) }
    }

    /// Indices have 24 bits, and 0 means none.
    @inlinable public static var maximumCount: Int { 1 << 24 - 1 }
    @inlinable static var leastSlots: Int { 16 }
    @inlinable static var free: UInt32 { 0 }

    @usableFromInline var entries: [Entry] = []
    /// A hash table with linear probing; its size is a power of two, and at most three quarters are taken. A slot holds
    /// an entry's index plus one and, above that, 8 bits of its hash: a search hardly ever reads another key's entry.
    @usableFromInline var slots: [UInt32] = []
    /// The index of the last entry that was looked up, which mostly is written next.
    @usableFromInline var lookedUp = 0

    @inlinable public init() {}

    /// An empty one with as much room as another has.
    @inlinable public init(roomAsIn other: Self) {
        entries.reserveCapacity(other.entries.capacity)
        slots = Array(repeating: Self.free, count: other.slots.count)
    }

    @inlinable public var count: Int { entries.count }
    @inlinable public var isEmpty: Bool { entries.isEmpty }
    /// How many entries it has room for before they move.
    @inlinable public var entryCapacity: Int { entries.capacity }

    @inlinable public subscript(key: Key) -> Value? {
        get { find(key).map { entries[place(in: $0)].value } }
        set {
            if let newValue { set(newValue, for: key) } else { _ = removeValue(forKey: key) }
        }
    }

    /// As the subscript; for a caller that is about to write the value.
    @inlinable public mutating func value(for key: Key) -> Value? {
        guard let slot = find(key) else { return nil }
        lookedUp = place(in: slot)
        return entries[lookedUp].value
    }

    /// Replaces an existing value with a single search.
    ///
    /// - Parameter change: returns the new value, or nil to remove it.
    /// - Returns: whether there is a value now; nil if there was none before.
    @inlinable public mutating func update(_ key: Key, _ change: (Value) -> Value?) -> Bool? {
        guard let slot = find(key) else { return nil }
        let place = place(in: slot)
        if let value = change(entries[place].value) {
            entries[place].value = value
            return true
        }
        _ = removeValue(forKey: key)
        return false
    }

    @inlinable mutating func set(_ value: Value, for key: Key) {
        if !replace(value, for: key) { add(value, for: key) }
    }

    /// Replaces the value of a key that is present, and returns whether it is.
    @inlinable public mutating func replace(_ value: Value, for key: Key) -> Bool {
        // Comparing two keys takes less than hashing one.
        if lookedUp < count, entries[lookedUp].key == key {
            entries[lookedUp].value = value
            return true
        }
        guard let slot = find(key) else { return false }
        entries[place(in: slot)].value = value
        return true
    }

    /// Sets the value of a key that is not present.
    @inlinable public mutating func add(_ value: Value, for key: Key) {
        precondition(count < Self.maximumCount, "more entries than places have numbers")
        if (count + 1) * 4 > slots.count * 3 { resize(to: max(Self.leastSlots, slots.count * 2)) }
        if count == entries.capacity { entries.reserveCapacity(count + max(Self.leastSlots, count / 8)) }
        entries.append(Entry(key: key, value: value))
        occupy(hash: key.hashValue, place: count - 1)
    }

    @inlinable public mutating func removeValue(forKey key: Key) -> Value? {
        guard let slot = find(key) else { return nil }
        let place = place(in: slot)
        vacate(slot)
        let last = entries.removeLast()
        guard place < count else { return last.value }
        // The last entry fills the gap.
        let hash = last.key.hashValue
        slots[self.slot(ofPlace: count, hash: hash)] = Self.content(hash: hash, place: place)
        return exchange(&entries[place], with: last).value
    }

    // MARK: Slots

    /// The slot of a key; nil if it is not present.
    @inlinable func find(_ key: Key) -> Int? {
        guard !entries.isEmpty else { return nil }
        let hash = key.hashValue
        let mark = Self.mark(hash)
        var slot = hash & (slots.count - 1)
        while slots[slot] != Self.free {
            if slots[slot] & ~Self.placeMask == mark, entries[place(in: slot)].key == key { return slot }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The slot of an existing entry.
    @inlinable func slot(ofPlace place: Int, hash: Int) -> Int {
        let content = Self.content(hash: hash, place: place)
        var slot = hash & (slots.count - 1)
        while slots[slot] != content { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    @inlinable mutating func occupy(hash: Int, place: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Self.content(hash: hash, place: place)
    }

    /// Moves back the entries that probed past this slot, so that no search ends too early (Knuth 6.4, algorithm R).
    @inlinable mutating func vacate(_ slot: Int) {
        let mask = slots.count - 1
        var gap = slot
        var next = (gap + 1) & mask
        while slots[next] != Self.free {
            let home = entries[place(in: next)].key.hashValue & mask
            if (next - home) & mask >= (next - gap) & mask {
                slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = Self.free
    }

    @inlinable mutating func resize(to slotCount: Int) {
        slots = Array(repeating: Self.free, count: slotCount)
        // By index: taking an entry out would copy it.
        for place in entries.indices { occupy(hash: entries[place].key.hashValue, place: place) }
    }

    @inlinable static var placeMask: UInt32 { 1 << 24 - 1 }

    @inlinable func place(in slot: Int) -> Int { Int(slots[slot] & Self.placeMask) - 1 }

    @inlinable static func content(hash: Int, place: Int) -> UInt32 { mark(hash) | UInt32(place + 1) }

    /// Hash bits that do not choose the slot.
    @inlinable static func mark(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) & ~placeMask }
}
