import Inbox

/// What is over.
extension OpenTransaction {
    /// Drops old decisions, and once a minute hours of pushes and events for many that are over.
    func sweep(at now: Timestamp) throws {
        try trailTables.sweep(
            &memory.trailSweep, at: now, lifetime: options.trailLifetime, keyLifetime: options.keyLifetime)
        guard now >= memory.nextSweep else { return }
        memory.nextSweep = now + .seconds(60)
        try pushPaces.removeEnded(at: now)
        try broadcasts.removeEnded(before: now - options.keyLifetime)
    }
}
