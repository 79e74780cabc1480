package import Push

/// Each provider's turns, as the one process that has the store keeps them from one transaction to the next.
package struct PushMemory: Sendable {
    /// Stands in three times a commit while the real one is taken out: to make a new one takes ten times as long.
    package static let empty = PushMemory()

    /// By ``Push/Device/Provider/place``; nil for a provider whose queue was not looked at yet, or whose turns are
    /// taken out.
    private var turns = [PushTurns?](repeating: nil, count: Device.Provider.most)
    /// The leases of providers without `turns`, by place.
    private var leases: [Int: PushLeases] = [:]

    package init() {}

    /// - Parameter putOff: finds the jobs that were put off after a failure; called if the turns are not known yet.
    package mutating func take(
        _ provider: Device.Provider, putOff: () throws -> [Int64: [Int64]]
    ) rethrows -> PushTurns {
        let place = provider.place
        if let known = turns[place] {
            turns[place] = nil
            return known
        }
        let putOff = try putOff()
        return PushTurns(leases: leases.removeValue(forKey: place) ?? .init(), putOff: putOff)
    }

    package mutating func put(_ known: PushTurns, _ provider: Device.Provider) { turns[provider.place] = known }

    /// The devices with a push on its way that another of the same notification is to follow; mostly none.
    package var renewingDevices: [Int64] {
        turns.flatMap { $0?.leases.renewingDevices ?? [] } + leases.values.flatMap(\.renewingDevices)
    }

    /// See ``PushLeases/cancelRenewals(upTo:of:)``.
    package mutating func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        var cancelled: [NewPushJob] = []
        for place in turns.indices { cancelled += turns[place]?.cancelRenewals(upTo: seq, of: devices) ?? [] }
        for place in leases.keys { cancelled += leases[place]?.cancelRenewals(upTo: seq, of: devices) ?? [] }
        return cancelled
    }

    /// Makes leases that were begun and ended final.
    package mutating func commit() {
        for place in turns.indices { turns[place]?.commit() }
        for place in leases.keys { leases[place]?.commit() }
    }

    /// Keeps only what must outlive a rolled back transaction: senders hold leases, which are again as before it. All
    /// else is read again.
    package mutating func rollBack() {
        var kept = PushMemory()
        for place in turns.indices {
            guard var leases = turns[place]?.leases ?? self.leases[place] else { continue }
            leases.rollBack()
            kept.leases[place] = leases
        }
        self = kept
    }
}
