import CLinux

/// What an ``ObjectTable`` finds its elements by.
protocol Keyed: AnyObject {
    associatedtype Key: Hashable
    /// The same for as long as the object is in a table.
    var key: Key { get }
    /// Whether that is its key; may be asked of an object that has left its table, too.
    func has(_ key: Key) -> Bool
}

/// Objects by a key that the objects themselves hold; several may have the same one.
///
/// An open-addressed table (linear probing) of nine bytes a slot, at most three quarters of them taken: a dictionary of
/// arrays would keep each key once more and an array for each, eighty bytes where most keys have one object.
struct ObjectTable<Element: Keyed> {
    private static var leastSlots: Int { 16 }
    private static var free: UInt8 { 0 }
    /// Of an object: all of one that is small, as those are of which there are many.
    private static var prefetchedBytes: Int { 128 }

    private var slots: [Element?] = []
    /// Seven bits of each slot's hash, and one that says that it is taken: who seeks one object touches no other's
    /// memory.
    private var marks: [UInt8] = []
    private(set) var count = 0
    var slotCount: Int { slots.count }

    /// The objects with that key, in no order.
    subscript(key: Element.Key) -> [Element] {
        var found: [Element] = []
        forEach(of: key) { found.append($0) }
        return found
    }

    /// Calls `body` with each object that was there when this began and still has that key when its turn comes.
    func forEach(of key: Element.Key, _ body: (Element) -> Void) {
        guard count > 0 else { return }
        let hash = key.hashValue
        let mark = Self.mark(hash)
        // Both arrays are held here: `body` may change its owner's table.
        let (slots, marks) = (slots, marks)
        var index = hash & (slots.count - 1)
        while marks[index] != Self.free {
            if marks[index] == mark, let element = slots[index], element.has(key) { body(element) }
            index = (index + 1) & (slots.count - 1)
        }
    }

    /// Has objects with some keys, and what they lead to, brought to the processor's cache, where they are not if there
    /// are thousands: waiting for all at once takes as long as waiting for one.
    ///
    /// - Parameters:
    ///   - key: those from 0 up to `count`.
    ///   - steps: called one after another, each with one object for each key that seems to be there: has something
    ///     brought that the step before has led to.
    func prefetch(_ count: Int, _ key: (Int) -> Element.Key, then steps: (Element) -> Void...) {
        guard count > 1, self.count > 0 else { return }
        slots.withUnsafeBufferPointer { slots in
            guard let start = slots.baseAddress else { return }
            withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { places in
                for index in 0..<count {
                    places[index] = likelyPlace(key(index).hashValue)
                    belfry_prefetch(start + places[index], MemoryLayout<Element?>.stride)
                }
                for place in places {
                    // Not as a reference: counting one more would wait for the object.
                    let object = UnsafeRawPointer(start + place).load(as: UnsafeRawPointer?.self)
                    if let object { belfry_prefetch(object, Self.prefetchedBytes) }
                }
                for step in steps {
                    for place in places {
                        if let element = slots[place] { step(element) }
                    }
                }
            }
        }
    }

    /// The slot of the first object with such a hash, or a free one.
    private func likelyPlace(_ hash: Int) -> Int {
        var index = hash & (slots.count - 1)
        while marks[index] != Self.free, marks[index] != Self.mark(hash) { index = (index + 1) & (slots.count - 1) }
        return index
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

    /// Moves up those behind that probed past this slot, so that no search ends too early (Knuth 6.4, algorithm R).
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
        // Not at half already, or one who comes and goes would have it made anew each time.
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

    /// Of the bits that do not choose the slot.
    private static func mark(_ hash: Int) -> UInt8 { UInt8(truncatingIfNeeded: hash >> 56) | 0x80 }
}
