import CLinux

/// The descriptors that a shard watches, and who hears of each. Names of what is closed find nothing.
struct WatchedDescriptors {
    /// A connection's place, 16 bytes; what else is watched lies in `others`.
    private struct Slot {
        /// First, so that a pointer to a slot is one to this.
        var connection: Connection?
        /// Of whoever has the descriptor now, or of the next to have it.
        var generation: UInt32 = 1
        var interest = Interest()
    }

    private static var unclear: UInt32 { 0 }

    private var slots = DescriptorTable(of: Slot())
    /// The few descriptors that are no connection's: listeners, and what comes before a connection.
    private var others: [Int32: any PollHandler] = [:]
    /// The generation that is clear (``setClear(_:_:)``), if any. Apart from the slots, which are four times as large:
    /// it is all that a fan-out looks at here, for each of ten thousand.
    private var clear = DescriptorTable(of: unclear)

    private func isCurrent(_ id: ConnectionID) -> Bool {
        slots.contains(id.descriptor) && slots[id.descriptor].generation == id.generation
    }

    /// What the next to have this descriptor will be called.
    mutating func nextID(of descriptor: Int32) -> ConnectionID {
        slots.makeRoom(for: descriptor)
        clear.makeRoom(for: descriptor)
        return ConnectionID(descriptor: descriptor, generation: slots[descriptor].generation)
    }

    /// From now on this one hears of the descriptor, whoever it was before.
    mutating func setHandler(_ handler: any PollHandler, of id: ConnectionID) {
        precondition(isCurrent(id), "handed over what is closed")
        if let connection = handler as? Connection {
            slots[id.descriptor].connection = connection
            others[id.descriptor] = nil
        } else {
            others[id.descriptor] = handler
        }
    }

    /// - Returns: what was waited for before; nil if that is the same, or the descriptor is closed.
    mutating func setInterest(_ interest: Interest, of id: ConnectionID) -> Interest? {
        guard isCurrent(id), slots[id.descriptor].interest != interest else { return nil }
        let previous = slots[id.descriptor].interest
        slots[id.descriptor].interest = interest
        return previous
    }

    /// - Returns: false if that has happened already.
    mutating func remove(_ id: ConnectionID) -> Bool {
        guard isCurrent(id) else { return false }
        if slots[id.descriptor].connection == nil { others[id.descriptor] = nil }
        let next = id.generation &+ 1
        slots[id.descriptor] = Slot(generation: next == Self.unclear ? next + 1 : next)
        clear[id.descriptor] = Self.unclear
        return true
    }

    func connection(_ id: ConnectionID) -> Connection? { isCurrent(id) ? slots[id.descriptor].connection : nil }

    /// Who hears of a descriptor that is no connection's.
    func other(_ id: ConnectionID) -> (any PollHandler)? { isCurrent(id) ? others[id.descriptor] : nil }

    /// Has the connections of some descriptors brought to the processor's cache, where they are not if there are
    /// thousands: waiting for all at once takes as long as waiting for one.
    ///
    /// - Parameter descriptor: those from 0 up to `count`; one that is nobody's is passed over.
    func prefetch(_ count: Int, _ descriptor: (Int) -> Int32) {
        guard count > 1 else { return }
        for index in 0..<count {
            slots.withPlace(of: descriptor(index)) { belfry_prefetch($0, MemoryLayout<Slot>.size) }
        }
        for index in 0..<count {
            slots.withPlace(of: descriptor(index)) { slot in
                // Not as a reference: counting one more would wait for the object.
                guard let connection = UnsafeRawPointer(slot).load(as: UnsafeRawPointer?.self) else { return }
                belfry_prefetch(connection, Connection.bytes)
            }
        }
    }

    /// All open connections, as they are now.
    var connections: [Connection] { slots.elements.compactMap(\.connection) }

    var pageCount: Int { slots.pageCount }

    /// Those of one page; none beyond the last.
    func connections(inPage page: Int) -> [Connection] { slots.elements(inPage: page).compactMap(\.connection) }

    /// All who hear of descriptors that are no connection's, as they are now.
    var allOthers: [any PollHandler] { Array(others.values) }

    /// Notes whether a connection's socket may be sent to past its connection.
    mutating func setClear(_ id: ConnectionID, _ isClear: Bool) {
        if isCurrent(id) { clear[id.descriptor] = isClear ? id.generation : Self.unclear }
    }

    /// What ``setClear(_:_:)`` noted last; false once the connection is closed.
    ///
    /// - Parameter id: of a connection that was here once.
    func isClear(_ id: ConnectionID) -> Bool { clear[id.descriptor] == id.generation }
}
