import GRDB
import Inbox
import Push

/// How many pushes of one kind a person got in the hour under way.
struct PushPaceTable {
    private let find: Statement
    private let write: Statement
    private let sweep: Statement
    /// At most so many rows go in one commit: a backlog must not hold up a publish.
    private let sweepRows = 1_000

    init(_ db: Database) throws {
        find = try db.cachedStatement(
            sql: "SELECT start, count, has_waiting FROM push_pace WHERE inbox = ? AND fold_key = ?")
        write = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO push_pace (inbox, fold_key, start, count, has_waiting, ends_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        sweep = try db.cachedStatement(
            sql: """
                DELETE FROM push_pace WHERE (inbox, fold_key) IN (
                    SELECT inbox, fold_key FROM push_pace WHERE ends_at <= ? ORDER BY ends_at LIMIT \(sweepRows))
                """)
    }

    func pace(inbox: Int64, foldKey: String) throws -> PushPace? {
        try find.first([inbox, foldKey]) { row in
            PushPace(
                start: Timestamp(milliseconds: try row.int(0)), count: Int(try row.int(1)),
                hasWaiting: try row.bool(2))
        }
    }

    func write(_ pace: PushPace, inbox: Int64, foldKey: String) throws {
        try write.execute(
            arguments: [
                inbox, foldKey, pace.start.milliseconds, pace.count, pace.hasWaiting ? 1 : 0, pace.end.milliseconds,
            ])
    }

    func removeEnded(at now: Timestamp) throws { try sweep.execute(arguments: [now.milliseconds]) }
}
