import Inbox

/// What is over.
extension OpenTransaction {
    /// Drops old decisions, a step of them if it is time for one, and once a minute hours of pushes and events for many
    /// that are over.
    @discardableResult
    func sweep(at now: Timestamp) throws -> TrailSweep.Step {
        let step = try trailTables.sweep(
            &memory.trailSweep, at: now, lifetime: options.trailLifetime, keyLifetime: options.keyLifetime)
        guard now >= memory.nextSweep else { return step }
        let isPushOnlyLeft = try removeOldPushOnly(at: now)
        memory.nextSweep = isPushOnlyLeft ? now : now + .seconds(60)
        try pushPaces.removeEnded(at: now)
        try broadcasts.removeEnded(before: now - options.keyLifetime)
        return step
    }

    /// Notifications that are only pushed go with what was decided about them, but not while a push of one waits. Tells
    /// whether more may have to go.
    private func removeOldPushOnly(at now: Timestamp) throws -> Bool {
        let table = pushOnly
        let rows = try table.stored(before: now - options.trailLifetime, limit: TrailSweep.stepRows)
        for row in rows {
            if try pushJobs.waits(inbox: row.inbox, notification: row.id) {
                try table.renew(inbox: row.inbox, id: row.id, at: now)
            } else {
                try table.delete(inbox: row.inbox, id: row.id)
                newRows.addUses(-1, ofContent: row.content)
            }
        }
        return rows.count == TrailSweep.stepRows
    }
}
