import Foundation
import GRDB
import Inbox

/// Lets go of what the trail has kept long enough, some rows at a time.
///
/// An event without a key goes when its time is over. One with a key may still be taken back: it stays, without those
/// who got nothing, until none of its notifications is left, and until its key may be used anew. Such rows stay behind
/// the place up to which the sweep has come, and are looked at again once a day.
struct TrailSweep {
    /// How far it has come, from one transaction to the next.
    struct Progress: Sendable {
        /// When to go on.
        var next = Timestamp(milliseconds: 0)
        /// Behind this row nothing has been looked at in this round.
        var place = TrailEventTable.Place(event: "", page: 0)
        var roundBegan = Timestamp(milliseconds: 0)
    }

    /// What one step has done.
    struct Step: Sendable {
        var removed = 0
        /// Whether there is nothing left to do for a while.
        let isLast: Bool
    }

    /// At most so many rows of each table go in one commit: a backlog must not hold up a publish.
    static let stepRows = 500
    private static let pause = Duration.seconds(60)
    private static let round = Duration.seconds(24 * 3_600)

    let db: Database
    let damage: DamageWatch

    /// Goes one step, if it is time for one.
    ///
    /// - Parameters:
    ///   - lifetime: how long decisions are kept.
    ///   - keyLifetime: how long keys are, also where that is longer.
    func step(
        _ progress: inout Progress, at now: Timestamp, lifetime: Duration, keyLifetime: Duration
    ) throws -> Step {
        guard now >= progress.next else { return Step(isLast: true) }
        if now - progress.roundBegan >= Self.round {
            progress = Progress(roundBegan: now)
        }
        let end = now - lifetime
        let events = try sweepEvents(&progress, before: end, freeingKeysBefore: now - keyLifetime)
        let steps = try sweepSteps(before: end)
        let isLast = max(events.old, steps) < Self.stepRows
        progress.next = isLast ? now + Self.pause : now
        return Step(removed: events.removed + steps, isLast: isLast)
    }

    private func sweepSteps(before end: Timestamp) throws -> Int {
        let delete = try db.cachedStatement(
            sql: """
                DELETE FROM trail_step WHERE at < ?
                    AND number IN (SELECT number FROM trail_step ORDER BY number LIMIT \(Self.stepRows))
                """)
        try delete.execute(arguments: [end.milliseconds])
        return db.changesCount
    }

    /// Tells how many rows it has looked at that were old enough, and how many of them it has removed.
    private func sweepEvents(
        _ progress: inout Progress, before end: Timestamp, freeingKeysBefore keyEnd: Timestamp
    ) throws -> (old: Int, removed: Int) {
        let find = try db.cachedStatement(
            sql: """
                SELECT event, page, accepted_at, key IS NOT NULL, fingerprint IS NOT NULL FROM trail_event
                WHERE (event, page) > (?, ?)
                ORDER BY event, page LIMIT \(Self.stepRows)
                """)
        let naming = RowNaming(table: "trail_event")
        let rows = try find.sound([progress.place.event, progress.place.page], of: naming, damage) { row in
            (
                place: TrailEventTable.Place(event: try row.text(0), page: try row.int(1)),
                isOld: try row.int(2) < end.milliseconds, isKeyed: try row.bool(3),
                holdsKey: try row.bool(4) && row.int(2) > keyEnd.milliseconds
            )
        }
        let old = rows.prefix { $0.isOld }
        let delete = try db.cachedStatement(sql: "DELETE FROM trail_event WHERE event = ? AND page = ?")
        var removed = 0
        for row in old {
            if row.isKeyed, try fade(row.place, holdsKey: row.holdsKey) { continue }
            try delete.execute(arguments: [row.place.event, row.place.page])
            removed += 1
        }
        progress.place = old.last?.place ?? progress.place
        return (old.count, removed)
    }

    /// Forgets whom the row names without a notification; tells whether it has to stay: one of its notifications is
    /// still there, or its key is still held.
    private func fade(_ place: TrailEventTable.Place, holdsKey: Bool) throws -> Bool {
        let find = try db.cachedStatement(
            sql: "SELECT verdicts FROM trail_event WHERE event = ? AND page = ? AND retracted_at IS NULL")
        guard let bytes = try find.first([place.event, place.page], { try $0.bytes(0) }) ?? nil else { return false }
        guard var verdicts = TrailVerdicts(bytes: bytes) else {
            damage.leaveOut(DamagedRow(table: "trail_event", key: place.event))
            return holdsKey
        }
        verdicts.groups.removeAll { !$0.verdict.hasNotification }
        guard try holdsKey || hasNotification(verdicts) else { return false }
        let kept = verdicts.bytes
        if kept.count < bytes.count {
            let write = try db.cachedStatement(sql: "UPDATE trail_event SET verdicts = ? WHERE event = ? AND page = ?")
            try write.execute(arguments: [Data(kept), place.event, place.page])
        }
        return true
    }

    private func hasNotification(_ verdicts: TrailVerdicts) throws -> Bool {
        let find = try db.cachedStatement(
            sql: """
                SELECT 1 FROM notification WHERE inbox = ?1 AND id = ?2
                UNION ALL SELECT 1 FROM push_only WHERE inbox = ?1 AND id = ?2
                """)
        for group in verdicts.groups {
            // Of people who cannot be read nobody can take anything back.
            for recipient in group.recipients.recipients ?? [] {
                guard let notification = recipient.notification else { continue }
                if try find.first([recipient.inbox, notification], { _ in true }) != nil { return true }
            }
        }
        return false
    }
}
