import Push

/// What the writer knows of the queue of pushes beside the queue itself: whose turn it is, by provider, and devices.
struct PushMemory: Sendable {
    /// So many devices at most are remembered, a few hundred bytes each.
    private static let devicesKept = 20_000

    /// Stands in while somebody has the real one out, three times a commit: to make a new one takes ten times as long.
    static let empty = PushMemory()

    /// By ``Push/Device/Provider/place``; nil for a provider whose queue was not looked at yet, and while somebody has
    /// it out.
    private var turns = [PushTurns?](repeating: nil, count: Device.Provider.allCases.count)
    /// Of the providers that are not among `turns`.
    private var leases: [Device.Provider: PushLeases] = [:]
    /// By row.
    var devices = RecentCache<Int64, KnownDevice>(capacity: Self.devicesKept)

    /// - Parameter putOff: finds what was put off after a failure; asked if the turns are not known yet.
    mutating func take(
        _ provider: Device.Provider, putOff: () throws -> [Int64: [Int64]]
    ) rethrows -> PushTurns {
        let place = provider.place
        if let known = turns[place] {
            turns[place] = nil
            return known
        }
        let putOff = try putOff()
        return PushTurns(leases: leases.removeValue(forKey: provider) ?? .init(), putOff: putOff)
    }

    mutating func put(_ known: PushTurns, _ provider: Device.Provider) { turns[provider.place] = known }

    /// The devices to which pushes are on their way that others of the same notifications are to follow; mostly none.
    var renewingDevices: [Int64] {
        turns.flatMap { $0?.leases.renewingDevices ?? [] } + leases.values.flatMap(\.renewingDevices)
    }

    /// As in ``PushLeases``.
    mutating func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        var cancelled: [NewPushJob] = []
        for place in turns.indices { cancelled += turns[place]?.cancelRenewals(upTo: seq, of: devices) ?? [] }
        for provider in leases.keys { cancelled += leases[provider]?.cancelRenewals(upTo: seq, of: devices) ?? [] }
        return cancelled
    }

    /// What was begun and ended is committed.
    mutating func commit() {
        for place in turns.indices { turns[place]?.commit() }
        for provider in leases.keys { leases[provider]?.commit() }
    }

    /// What must outlive a rolled back transaction: leases are with others, and are again as they were before it; all
    /// else is read again.
    mutating func rollBack() {
        var kept = PushMemory()
        for provider in Device.Provider.allCases {
            var leases = turns[provider.place]?.leases ?? self.leases[provider] ?? PushLeases()
            leases.rollBack()
            kept.leases[provider] = leases
        }
        self = kept
    }
}
