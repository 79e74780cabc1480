/// The descriptors that a shard watches, and the handler of each. The id of a closed descriptor finds nothing.
struct WatchedDescriptors {
    /// A connection's slot, 16 bytes; other handlers lie in `others`.
    private struct Slot {
        /// First, so that a pointer to a slot is a pointer to the connection.
        var connection: Connection?
        /// The generation of the descriptor's current owner, else of the next one.
        var generation: UInt32 = 1
        var interest = Interest()
    }

    private static var unclear: UInt32 { 0 }

    private var slots = DescriptorTable(of: Slot())
    /// The few handlers that are no connections: listeners, and stages before a connection.
    private var others: [Int32: any PollHandler] = [:]
    /// The generation that is clear (``setClear(_:_:)``), if any. Separate from the slots, which are four times as
    /// large: a fan-out to ten thousand reads only this table.
    private var clear = DescriptorTable(of: unclear)

    private func isCurrent(_ id: ConnectionID) -> Bool {
        slots.contains(id.descriptor) && slots[id.descriptor].generation == id.generation
    }

    /// The id for the next owner of this descriptor.
    mutating func nextID(of descriptor: Int32) -> ConnectionID {
        slots.makeRoom(for: descriptor)
        clear.makeRoom(for: descriptor)
        return ConnectionID(descriptor: descriptor, generation: slots[descriptor].generation)
    }

    /// Gives the descriptor's events to this handler from now on.
    mutating func setHandler(_ handler: any PollHandler, of id: ConnectionID) {
        precondition(isCurrent(id), "handed over what is closed")
        if let connection = handler as? Connection {
            slots[id.descriptor].connection = connection
            others[id.descriptor] = nil
        } else {
            others[id.descriptor] = handler
        }
    }

    /// - Returns: the interest before; nil if it is the same, or if the descriptor is closed.
    mutating func setInterest(_ interest: Interest, of id: ConnectionID) -> Interest? {
        guard isCurrent(id), slots[id.descriptor].interest != interest else { return nil }
        let previous = slots[id.descriptor].interest
        slots[id.descriptor].interest = interest
        return previous
    }

    /// - Returns: false if it was removed before.
    mutating func remove(_ id: ConnectionID) -> Bool {
        guard isCurrent(id) else { return false }
        if slots[id.descriptor].connection == nil { others[id.descriptor] = nil }
        let next = id.generation &+ 1
        slots[id.descriptor] = Slot(generation: next == Self.unclear ? next + 1 : next)
        clear[id.descriptor] = Self.unclear
        return true
    }

    func connection(_ id: ConnectionID) -> Connection? { isCurrent(id) ? slots[id.descriptor].connection : nil }

    /// The handler of a descriptor that is no connection.
    func other(_ id: ConnectionID) -> (any PollHandler)? { isCurrent(id) ? others[id.descriptor] : nil }

    /// All open connections at this moment.
    var connections: [Connection] { slots.elements.compactMap(\.connection) }

    var pageCount: Int { slots.pageCount }

    /// The open connections of one page; empty beyond the last page.
    func connections(inPage page: Int) -> [Connection] { slots.elements(inPage: page).compactMap(\.connection) }

    /// All handlers that are no connections, at this moment.
    var allOthers: [any PollHandler] { Array(others.values) }

    /// Notes whether bytes may be sent to the socket directly, without its connection.
    mutating func setClear(_ id: ConnectionID, _ isClear: Bool) {
        if isCurrent(id) { clear[id.descriptor] = isClear ? id.generation : Self.unclear }
    }

    /// The last value of ``setClear(_:_:)``; false after the connection has closed.
    ///
    /// - Parameter id: the id of a current or earlier connection of this shard.
    func isClear(_ id: ConnectionID) -> Bool { clear[id.descriptor] == id.generation }
}
