import Deliveries
import GRDB
import Inbox
import Push
import Store

/// The number of pushes of one kind that a person got in the current hour.
final class PushPaceTable: PushPaceRows {
    private let find: Statement
    private let write: Statement
    private let sweep: Statement
    private let shift: Statement
    private let damage: DamageWatch
    /// How many rows go in one commit at most: a backlog must not hold up a publish.
    private let sweepRows = 1_000

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        find = try db.statement(
            sql: "SELECT start, count, has_waiting FROM push_pace WHERE inbox = ? AND fold_key = ?")
        write = try db.statement(
            sql: """
                INSERT OR REPLACE INTO push_pace (inbox, fold_key, start, count, has_waiting, ends_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        // Sums of a damaged row may exceed the column's range, and would fail every try.
        shift = try db.statement(
            sql: """
                UPDATE push_pace SET start = start + ?1, ends_at = ends_at + ?1
                WHERE start BETWEEN -?2 AND ?2 AND ends_at BETWEEN -?2 AND ?2
                """)
        sweep = try db.statement(
            sql: """
                DELETE FROM push_pace WHERE (inbox, fold_key) IN (
                    SELECT inbox, fold_key FROM push_pace WHERE ends_at <= ? ORDER BY ends_at LIMIT \(sweepRows))
                """)
    }

    /// Nil for a missing or an unreadable row: the hour begins anew.
    func pace(inbox: Int64, foldKey: String) throws -> PushPace? {
        try find.first([inbox, foldKey]) { row in
            var row = CheckedRow(row)
            let pace = PushPace(start: row.time(0), count: Int(row.count(1)), hasWaiting: row.flag(2))
            guard row.isDamaged else { return pace }
            // Without the rest of its key, which may hold a text of an event.
            damage.leaveOut(DamagedRow(table: "push_pace", key: "\(inbox)"))
            return nil
        } ?? nil
    }

    func write(_ pace: PushPace, inbox: Int64, foldKey: String) throws {
        try write.execute(
            arguments: [
                inbox, foldKey, pace.start.milliseconds, pace.count, pace.hasWaiting ? 1 : 0, pace.end.milliseconds,
            ])
    }

    func move(by span: Duration) throws {
        try shift.execute(arguments: [span.milliseconds, CheckedRow.furthest])
    }

    func removeEnded(at now: Timestamp) throws { try sweep.execute(arguments: [now.milliseconds]) }
}
