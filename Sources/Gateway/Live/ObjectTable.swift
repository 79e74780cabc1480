/// An element of an ``ObjectTable``, found by its key.
protocol Keyed: AnyObject {
    associatedtype Key: Hashable
    /// The same as long as the object is in a table.
    var key: Key { get }
    /// Whether that is its key; also called for an object that has left its table.
    func has(_ key: Key) -> Bool
}

/// Objects by a key that the objects themselves hold; several may have the same one.
///
/// An open-addressed table (linear probing) of nine bytes a slot, at most three quarters of them taken. A dictionary of
/// arrays would keep each key again and an array for each: eighty bytes, where most keys have one object.
struct ObjectTable<Element: Keyed> {
    private static var leastSlots: Int { 16 }
    private static var free: UInt8 { 0 }

    private var slots: [Element?] = []
    /// Seven bits of each slot's hash, and one that says that it is taken: a search touches no other object's memory.
    private var marks: [UInt8] = []
    private(set) var count = 0
    var slotCount: Int { slots.count }

    /// The objects with that key, in no order.
    subscript(key: Element.Key) -> [Element] {
        var found: [Element] = []
        forEach(of: key) { found.append($0) }
        return found
    }

    /// Calls `body` with each object that was there when this began and still has that key at its turn.
    func forEach(of key: Element.Key, _ body: (Element) -> Void) {
        guard count > 0 else { return }
        let hash = key.hashValue
        let mark = Self.mark(hash)
        // Both arrays are held here, as `body` may change its owner's table.
        let (slots, marks) = (slots, marks)
        var index = hash & (slots.count - 1)
        while marks[index] != Self.free {
            if marks[index] == mark, let element = slots[index], element.has(key) { body(element) }
            index = (index + 1) & (slots.count - 1)
        }
    }

    mutating func insert(_ element: Element) {
        if (count + 1) * 4 > slots.count * 3 { resize(to: max(Self.leastSlots, slots.count * 2)) }
        place(element)
        count += 1
    }

    /// Does nothing if the object is not there.
    mutating func remove(_ element: Element) {
        guard count > 0 else { return }
        var index = element.key.hashValue & (slots.count - 1)
        while marks[index] != Self.free {
            if slots[index] === element { return vacate(index) }
            index = (index + 1) & (slots.count - 1)
        }
    }

    /// Moves back the objects that probed past this slot, so that no search ends too early (Knuth 6.4, algorithm R).
    private mutating func vacate(_ index: Int) {
        let mask = slots.count - 1
        var gap = index
        var next = (gap + 1) & mask
        while marks[next] != Self.free, let element = slots[next] {
            let home = element.key.hashValue & mask
            if (next - home) & mask >= (next - gap) & mask {
                (slots[gap], marks[gap]) = (element, marks[next])
                gap = next
            }
            next = (next + 1) & mask
        }
        (slots[gap], marks[gap]) = (nil, Self.free)
        count -= 1
        // Not at half already: one object that comes and goes would make the table resize each time.
        if slots.count > Self.leastSlots, count * 8 < slots.count { resize(to: slots.count / 2) }
    }

    private mutating func resize(to slotCount: Int) {
        let before = slots
        slots = Array(repeating: nil, count: slotCount)
        marks = Array(repeating: Self.free, count: slotCount)
        for case let element? in before { place(element) }
    }

    private mutating func place(_ element: Element) {
        let hash = element.key.hashValue
        var index = hash & (slots.count - 1)
        while marks[index] != Self.free { index = (index + 1) & (slots.count - 1) }
        (slots[index], marks[index]) = (element, Self.mark(hash))
    }

    /// Hash bits that do not choose the slot.
    private static func mark(_ hash: Int) -> UInt8 { UInt8(truncatingIfNeeded: hash >> 56) | 0x80 }
}
