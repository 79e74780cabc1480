import Push

/// Leased jobs that are not sent yet, in order. They stay in the arrays in which they came: joining these takes longer
/// than all other work on them.
struct JobsAtHand {
    /// No array is empty.
    private var leases: [ArraySlice<PushJob>] = []

    mutating func append(_ jobs: [PushJob]) { if !jobs.isEmpty { leases.append(jobs[...]) } }

    mutating func removeAll() { leases = [] }

    mutating func popFirst() -> PushJob? {
        guard !leases.isEmpty else { return nil }
        defer { if leases[0].isEmpty { leases.removeFirst() } }
        return leases[0].popFirst()
    }

    /// Removes and returns at most the first `count` jobs.
    mutating func take(_ count: Int) -> [PushJob] {
        var taken: [PushJob] = []
        while taken.count < count, let job = popFirst() { taken.append(job) }
        return taken
    }
}
