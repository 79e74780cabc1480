import Push

/// Jobs that were handed out and not sent yet, in order; as they came, since to put them all in one array takes longer
/// than all else about them.
struct JobsAtHand {
    /// None is empty.
    private var leases: [ArraySlice<PushJob>] = []

    mutating func append(_ jobs: [PushJob]) { if !jobs.isEmpty { leases.append(jobs[...]) } }

    mutating func removeAll() { leases = [] }

    mutating func popFirst() -> PushJob? {
        guard !leases.isEmpty else { return nil }
        defer { if leases[0].isEmpty { leases.removeFirst() } }
        return leases[0].popFirst()
    }

    /// Removes and returns the first so many.
    mutating func take(_ count: Int) -> [PushJob] {
        var taken: [PushJob] = []
        while taken.count < count, let job = popFirst() { taken.append(job) }
        return taken
    }
}
