import CLinux

/// Values by key, in less memory than a dictionary takes.
///
/// A dictionary leaves a quarter to five eighths of its slots empty, each as wide as a key and a value. Here an empty
/// slot is four bytes: slots hold the places of entries, which lie without gaps in an array that grows by an eighth.
struct CompactDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let key: Key
        var value: Value
    }

    /// The places are kept in 24 bits, and 0 is none.
    static var maximumCount: Int { 1 << 24 - 1 }
    private static var leastSlots: Int { 16 }
    private static var free: UInt32 { 0 }

    private var entries: [Entry] = []
    /// Open-addressed, with linear probing, a power of two, at most three quarters taken. Each has an entry's place and
    /// one, and above that 8 bits of its hash: who seeks one key hardly ever looks at another's entry.
    private var slots: [UInt32] = []
    /// The place of the entry that was looked up last: mostly it is written next.
    private var lookedUp = 0

    init() {}

    /// Empty, with room for as much as another one has.
    init(roomAsIn other: Self) {
        entries.reserveCapacity(other.entries.capacity)
        slots = Array(repeating: Self.free, count: other.slots.count)
    }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    /// How many entries there is room for before they move.
    var entryCapacity: Int { entries.capacity }

    subscript(key: Key) -> Value? {
        get { find(key).map { entries[place(in: $0)].value } }
        set {
            if let newValue { set(newValue, for: key) } else { _ = removeValue(forKey: key) }
        }
    }

    /// As the subscript; for whoever is about to write the value again.
    mutating func value(for key: Key) -> Value? {
        guard let slot = find(key) else { return nil }
        lookedUp = place(in: slot)
        return entries[lookedUp].value
    }

    /// Replaces the value where there is one, with one look for both.
    ///
    /// - Parameter change: makes the new value; nil for none any more.
    /// - Returns: whether there is one now; nil if there was none.
    mutating func update(_ key: Key, _ change: (Value) -> Value?) -> Bool? {
        guard let slot = find(key) else { return nil }
        let place = place(in: slot)
        if let value = change(entries[place].value) {
            entries[place].value = value
            return true
        }
        _ = removeValue(forKey: key)
        return false
    }

    private mutating func set(_ value: Value, for key: Key) {
        if !replace(value, for: key) { add(value, for: key) }
    }

    /// Sets the value of a key that is there, and returns whether it is.
    mutating func replace(_ value: Value, for key: Key) -> Bool {
        // To compare two keys takes less than to hash one.
        if lookedUp < count, entries[lookedUp].key == key {
            entries[lookedUp].value = value
            return true
        }
        guard let slot = find(key) else { return false }
        entries[place(in: slot)].value = value
        return true
    }

    /// Sets the value of a key that is not there.
    mutating func add(_ value: Value, for key: Key) {
        precondition(count < Self.maximumCount, "more entries than places have numbers")
        if (count + 1) * 4 > slots.count * 3 { resize(to: max(Self.leastSlots, slots.count * 2)) }
        if count == entries.capacity { entries.reserveCapacity(count + max(Self.leastSlots, count / 8)) }
        entries.append(Entry(key: key, value: value))
        occupy(hash: key.hashValue, place: count - 1)
    }

    mutating func removeValue(forKey key: Key) -> Value? {
        guard let slot = find(key) else { return nil }
        let place = place(in: slot)
        vacate(slot)
        let last = entries.removeLast()
        guard place < count else { return last.value }
        // The last one takes the free place, so that there is no gap.
        let hash = last.key.hashValue
        slots[self.slot(ofPlace: count, hash: hash)] = Self.content(hash: hash, place: place)
        return exchange(&entries[place], with: last).value
    }

    /// Has the entries of some keys brought to the processor's cache, where they are not if there are thousands:
    /// waiting for all at once takes as long as waiting for one.
    ///
    /// - Parameter key: those from 0 up to `count`; one that is not there is passed over.
    func prefetch(_ count: Int, _ key: (Int) -> Key) {
        guard count > 1, !entries.isEmpty else { return }
        withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { hashes in
            slots.withUnsafeBufferPointer { slots in
                guard let start = slots.baseAddress else { return }
                for index in 0..<count {
                    hashes[index] = key(index).hashValue
                    belfry_prefetch(start + (hashes[index] & (slots.count - 1)), MemoryLayout<UInt32>.stride)
                }
            }
            entries.withUnsafeBufferPointer { entries in
                guard let start = entries.baseAddress else { return }
                for hash in hashes {
                    if let place = likelyPlace(hash) { belfry_prefetch(start + place, MemoryLayout<Entry>.stride) }
                }
            }
        }
    }

    // MARK: Slots

    /// Where an entry with that hash is, if there is one: its key is not looked at.
    private func likelyPlace(_ hash: Int) -> Int? {
        var slot = hash & (slots.count - 1)
        while slots[slot] != Self.free {
            if slots[slot] & ~Self.placeMask == Self.mark(hash) { return place(in: slot) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The slot of a key that is there.
    private func find(_ key: Key) -> Int? {
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

    /// The slot of an entry that is there.
    private func slot(ofPlace place: Int, hash: Int) -> Int {
        let content = Self.content(hash: hash, place: place)
        var slot = hash & (slots.count - 1)
        while slots[slot] != content { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func occupy(hash: Int, place: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] != Self.free { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Self.content(hash: hash, place: place)
    }

    /// Moves up those behind that probed past this slot, so that no search ends too early (Knuth 6.4, algorithm R).
    private mutating func vacate(_ slot: Int) {
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

    private mutating func resize(to slotCount: Int) {
        slots = Array(repeating: Self.free, count: slotCount)
        // By their places: an entry that is taken out is copied.
        for place in entries.indices { occupy(hash: entries[place].key.hashValue, place: place) }
    }

    private static var placeMask: UInt32 { 1 << 24 - 1 }

    private func place(in slot: Int) -> Int { Int(slots[slot] & Self.placeMask) - 1 }

    private static func content(hash: Int, place: Int) -> UInt32 { mark(hash) | UInt32(place + 1) }

    /// Of the bits that do not choose the slot.
    private static func mark(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) & ~placeMask }
}
