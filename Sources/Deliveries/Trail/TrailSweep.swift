import Inbox
import Store

/// Removes what the trail has kept long enough, some rows at a time.
///
/// An event without a key goes when its time is over. An event with a key may still be taken back. So it stays, without
/// the people who got nothing, until none of its notifications is left and its key may be used anew. The sweep passes
/// such rows and looks at them again once a day.
struct TrailSweep {
    private static let pause = Duration.seconds(60)
    private static let round = Duration.seconds(24 * 3_600)

    let open: OpenTransaction

    /// Does one step, if it is time for one.
    func step(at now: Timestamp) throws -> SweepStep {
        guard now >= open.memory.trailSweep.next else { return SweepStep(isLast: true) }
        if now - open.memory.trailSweep.roundBegan >= Self.round {
            open.memory.trailSweep = SweepProgress(roundBegan: now)
        }
        let end = now - open.options.trailLifetime
        let events = try sweepEvents(before: end, freeingKeysBefore: now - open.options.keyLifetime)
        let steps = try open.trailRows.removeSteps(before: end, limit: SweepStep.rows)
        let isLast = max(events.old, steps) < SweepStep.rows
        open.memory.trailSweep.next = isLast ? now + Self.pause : now
        return SweepStep(removed: events.removed + steps, isLast: isLast)
    }

    /// - Returns: how many rows were old enough, and how many of those it removed.
    private func sweepEvents(
        before end: Timestamp, freeingKeysBefore keyEnd: Timestamp
    ) throws -> (old: Int, removed: Int) {
        let rows = try open.trailRows.events(after: open.memory.trailSweep.place, limit: SweepStep.rows)
        let old = rows.prefix { $0.acceptedAt < end }
        var removed = 0
        for row in old {
            if row.isKeyed, try fade(row, holdsKey: row.hasUse && row.acceptedAt > keyEnd) { continue }
            try open.trailRows.remove(at: row.place)
            removed += 1
        }
        open.memory.trailSweep.place = old.last?.place ?? open.memory.trailSweep.place
        return (old.count, removed)
    }

    /// Removes the people without a notification from the row.
    /// - Returns: whether the row stays, for a notification that is still there or for a key that is still held.
    private func fade(_ row: SweptEvent, holdsKey: Bool) throws -> Bool {
        if row.isRetracted { return false }
        guard var verdicts = try open.trailRows.verdicts(at: row.place) else { return holdsKey }
        let groups = verdicts.groups.count
        verdicts.groups.removeAll { !$0.verdict.hasNotification }
        guard try holdsKey || hasNotification(verdicts) else { return false }
        if verdicts.groups.count < groups { try open.trailRows.write(verdicts, at: row.place) }
        return true
    }

    private func hasNotification(_ verdicts: TrailVerdicts) throws -> Bool {
        for group in verdicts.groups {
            // Unreadable recipients keep nothing: nothing can be taken back from them.
            for recipient in group.recipients.recipients ?? [] {
                guard let notification = recipient.notification else { continue }
                if try open.notifications.record(inbox: recipient.inbox, id: notification) != nil { return true }
            }
        }
        return false
    }
}
