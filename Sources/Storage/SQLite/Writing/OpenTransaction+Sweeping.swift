import Inbox

/// What is over.
extension OpenTransaction {
    /// Drops old decisions, a step of them if it is time for one, and once a minute hours of pushes and events for many that
    /// are over.
    @discardableResult
    func sweep(at now: Timestamp) throws -> TrailSweep.Step {
        let step = try trailTables.sweep(
            &memory.trailSweep, at: now, lifetime: options.trailLifetime, keyLifetime: options.keyLifetime)
        guard now >= memory.nextSweep else { return step }
        memory.nextSweep = now + .seconds(60)
        try pushPaces.removeEnded(at: now)
        try broadcasts.removeEnded(before: now - options.keyLifetime)
        return step
    }
}
