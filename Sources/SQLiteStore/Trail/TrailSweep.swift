import Deliveries
import Foundation
import GRDB
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

    let db: Database
    let damage: DamageWatch

    /// Does one step, if it is time for one.
    ///
    /// - Parameters:
    ///   - lifetime: how long decisions are kept.
    ///   - keyLifetime: how long keys are kept, even where that is longer.
    func step(
        _ progress: inout SweepProgress, at now: Timestamp, lifetime: Duration, keyLifetime: Duration
    ) throws -> SweepStep {
        guard now >= progress.next else { return SweepStep(isLast: true) }
        if now - progress.roundBegan >= Self.round {
            progress = SweepProgress(roundBegan: now)
        }
        let end = now - lifetime
        let events = try sweepEvents(&progress, before: end, freeingKeysBefore: now - keyLifetime)
        let steps = try sweepSteps(before: end)
        let isLast = max(events.old, steps) < SweepStep.rows
        progress.next = isLast ? now + Self.pause : now
        return SweepStep(removed: events.removed + steps, isLast: isLast)
    }

    private func sweepSteps(before end: Timestamp) throws -> Int {
        let delete = try db.cachedStatement(
            sql: """
                DELETE FROM trail_step WHERE at < ?
                    AND number IN (SELECT number FROM trail_step ORDER BY number LIMIT \(SweepStep.rows))
                """)
        try delete.execute(arguments: [end.milliseconds])
        return db.changesCount
    }

    /// - Returns: how many rows were old enough, and how many of those it removed.
    private func sweepEvents(
        _ progress: inout SweepProgress, before end: Timestamp, freeingKeysBefore keyEnd: Timestamp
    ) throws -> (old: Int, removed: Int) {
        let find = try db.cachedStatement(
            sql: """
                SELECT event, page, accepted_at, key IS NOT NULL, fingerprint IS NOT NULL FROM trail_event
                WHERE (event, page) > (?, ?)
                ORDER BY event, page LIMIT \(SweepStep.rows)
                """)
        let naming = RowNaming(table: "trail_event")
        let rows = try find.sound([progress.place.event, progress.place.page], of: naming, damage) { row in
            (
                place: TrailPlace(event: try row.text(0), page: try row.int(1)),
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

    /// Removes the people without a notification from the row.
    /// - Returns: whether the row stays, for a notification that is still there or for a key that is still held.
    private func fade(_ place: TrailPlace, holdsKey: Bool) throws -> Bool {
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
            // Unreadable recipients keep nothing: nothing can be taken back from them.
            for recipient in group.recipients.recipients ?? [] {
                guard let notification = recipient.notification else { continue }
                if try find.first([recipient.inbox, notification], { _ in true }) != nil { return true }
            }
        }
        return false
    }
}
