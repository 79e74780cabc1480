/// Thousands of deadlines for the price of a list insertion each: a hashed wheel of ticks (Varghese and Lauck, 1987).
///
/// Time is a count of ticks that the owner advances; a timer fires at the first advance at or after its tick. Timers of
/// one advance fire in the order of their slots, not in the order in which they were made.
package struct TimingWheel<Payload> {
    /// Names a scheduled timer; stale after it fired or was cancelled.
    package struct Timer: Hashable, Sendable {
        fileprivate let node: Int32
        fileprivate let generation: UInt32
    }

    private struct Node {
        var payload: Payload?
        var tick: Int64
        var previous: Int32
        var next: Int32
        var generation: UInt32
    }

    private static var none: Int32 { -1 }
    private static var keptNodes: Int { 64 }

    private var heads: [Int32]
    private var nodes: [Node] = []
    /// The first free node; `next` leads to the others.
    private var free: Int32 = -1
    /// Never used twice, so that an old timer stays stale even if its node was freed and made again.
    private var lastGeneration: UInt32 = 0
    private var current: Int64
    package private(set) var count = 0

    /// The number of nodes in memory, for current and earlier timers.
    var allocatedNodes: Int { nodes.count }

    /// - Parameter slots: the number of ticks in one turn of the wheel; a power of two. Later timers wait several
    ///   turns.
    package init(slots: Int = 1024, at tick: Int64 = 0) {
        precondition(slots > 0 && slots & (slots - 1) == 0)
        heads = Array(repeating: Self.none, count: slots)
        current = tick
    }

    /// A tick in the past counts as the next one.
    package mutating func schedule(_ payload: Payload, at tick: Int64) -> Timer {
        let tick = max(tick, current + 1)
        lastGeneration &+= 1
        let node = Node(
            payload: payload, tick: tick, previous: Self.none, next: Self.none, generation: lastGeneration)
        let index: Int32
        if free != Self.none {
            index = free
            free = nodes[Int(index)].next
            nodes[Int(index)] = node
        } else {
            index = Int32(nodes.count)
            nodes.reserve(nodes.count + 1)
            nodes.append(node)
        }
        link(index, into: slot(of: tick))
        count += 1
        return Timer(node: index, generation: lastGeneration)
    }

    /// The tick of a timer; nil after it has fired or was cancelled.
    package func tick(of timer: Timer) -> Int64? {
        guard nodes.indices.contains(Int(timer.node)) else { return nil }
        let node = nodes[Int(timer.node)]
        return node.generation == timer.generation && node.payload != nil ? node.tick : nil
    }

    /// Does nothing for a timer that fired or was cancelled before.
    package mutating func cancel(_ timer: Timer) {
        guard tick(of: timer) != nil else { return }
        _ = remove(timer.node)
        if count == 0 { releaseNodes() }
    }

    /// Advances the time and returns the due timers' payloads.
    package mutating func advance(to tick: Int64) -> [Payload] {
        guard tick > current else { return [] }
        var due: [Payload] = []
        // After a long pause one turn of the wheel reaches every slot.
        let first = max(current + 1, tick - Int64(heads.count) + 1)
        if count > 0 {
            for passed in first...tick { collect(slot(of: passed), upTo: tick, into: &due) }
        }
        current = tick
        if count == 0 { releaseNodes() }
        return due
    }

    /// The first tick at which a timer may be due, at most one turn ahead; nil for an empty wheel.
    package var nextTick: Int64? {
        guard count > 0 else { return nil }
        for tick in (current + 1)...(current + Int64(heads.count)) {
            var index = heads[slot(of: tick)]
            while index != Self.none {
                if nodes[Int(index)].tick <= tick { return tick }
                index = nodes[Int(index)].next
            }
        }
        return current + Int64(heads.count)
    }

    private func slot(of tick: Int64) -> Int { Int(tick) & (heads.count - 1) }

    private mutating func collect(_ slot: Int, upTo tick: Int64, into due: inout [Payload]) {
        var index = heads[slot]
        while index != Self.none {
            let next = nodes[Int(index)].next
            if nodes[Int(index)].tick <= tick, let payload = remove(index) { due.append(payload) }
            index = next
        }
    }

    private mutating func link(_ index: Int32, into slot: Int) {
        let head = heads[slot]
        nodes[Int(index)].previous = Self.none
        nodes[Int(index)].next = head
        if head != Self.none { nodes[Int(head)].previous = index }
        heads[slot] = index
    }

    private mutating func remove(_ index: Int32) -> Payload? {
        let node = nodes[Int(index)]
        if node.previous == Self.none {
            heads[slot(of: node.tick)] = node.next
        } else {
            nodes[Int(node.previous)].next = node.next
        }
        if node.next != Self.none { nodes[Int(node.next)].previous = node.previous }
        nodes[Int(index)].payload = nil
        nodes[Int(index)].next = free
        free = index
        count -= 1
        return node.payload
    }

    /// Frees the memory of thousands of timers at once, but keeps the nodes that a few timers need again and again.
    private mutating func releaseNodes() {
        guard nodes.count > Self.keptNodes else { return }
        nodes = []
        free = Self.none
    }
}
