import Push

/// Whose turn it is, by provider: what the writer knows of the queue of pushes beside the queue itself.
struct PushMemory: Sendable {
    private var turns: [Device.Provider: PushTurns] = [:]
    /// Of the providers that are not among `turns`.
    private var leases: [Device.Provider: PushLeases] = [:]

    /// What must outlive a rolled back transaction: leases are with others, all else is read again.
    var leasesOnly: PushMemory {
        var memory = PushMemory()
        memory.leases = leases.merging(turns.mapValues(\.leases)) { $1 }
        return memory
    }

    /// - Parameter putOff: finds what was put off after a failure; asked if the turns are not known yet.
    mutating func take(
        _ provider: Device.Provider, putOff: () throws -> [Int64: [Int64]]
    ) rethrows -> PushTurns {
        if let known = turns.removeValue(forKey: provider) { return known }
        return PushTurns(leases: leases.removeValue(forKey: provider) ?? .init(), putOff: try putOff())
    }

    mutating func put(_ known: PushTurns, _ provider: Device.Provider) { turns[provider] = known }
}
