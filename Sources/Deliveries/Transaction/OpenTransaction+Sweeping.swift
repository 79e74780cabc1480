package import Inbox
import Store

/// Removes what is over.
extension OpenTransaction {
    /// Drops old decisions, one step if it is time for one. Once a minute, also removes old push-only notifications,
    /// the push hours and broadcasts that are over, and
    /// Live Activities that ended long ago.
    @discardableResult
    package func sweep(at now: Timestamp) throws -> SweepStep {
        let step = try TrailSweep(open: self).step(at: now)
        guard now >= memory.nextSweep else { return step }
        let isPushOnlyLeft = try removeOldPushOnly(at: now)
        memory.nextSweep = isPushOnlyLeft ? now : now + .seconds(60)
        try pushPaces.removeEnded(at: present(now))
        try rows.activities.delete(SweepStep.rows, endedBefore: present(now))
        try broadcasts.removeEnded(before: now - options.keyLifetime)
        return step
    }

    /// Push-only notifications go with the decisions about them, but stay while a push of one waits.
    /// - Returns: whether more may have to go.
    private func removeOldPushOnly(at now: Timestamp) throws -> Bool {
        let table = pushOnly
        let rows = try table.stored(before: now - options.trailLifetime, limit: SweepStep.rows)
        for row in rows {
            if try pushJobs.waits(inbox: row.inbox, notification: row.id) {
                try table.renew(inbox: row.inbox, id: row.id, at: now)
            } else {
                try table.delete(inbox: row.inbox, id: row.id)
                contents.addUses(-1, ofContent: row.content)
            }
        }
        return rows.count == SweepStep.rows
    }
}
