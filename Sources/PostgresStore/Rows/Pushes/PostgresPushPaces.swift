import Deliveries
import Inbox
import Postgres
import Push

/// How many pushes of one kind a person got in the current hour: the table `push_pace`.
///
/// A person's hours are read and written under the lock of their inbox's row.
final class PostgresPushPaces: PostgresPart, PushPaceRows {
    /// How many rows go in one commit at most.
    private static let sweptRows: Int64 = 1_000

    func pace(inbox: Int64, foldKey: String) throws -> PushPace? {
        try connection.run(
            """
            SELECT start, count, has_waiting FROM push_pace WHERE inbox = $1 AND sha256(fold_key) = sha256($2)
            """, [.int64(inbox), .utf8(foldKey)]
        ).first.map { row in
            PushPace(
                start: Timestamp(milliseconds: try row.int64(0)), count: Int(try row.int64(1)),
                hasWaiting: try row.bool(2))
        }
    }

    func write(_ pace: PushPace, inbox: Int64, foldKey: String) throws {
        try connection.queue(
            """
            INSERT INTO push_pace (inbox, fold_key, start, count, has_waiting, ends_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (inbox, sha256(fold_key)) DO UPDATE SET start = excluded.start, count = excluded.count,
                has_waiting = excluded.has_waiting, ends_at = excluded.ends_at
            """,
            [
                .int64(inbox), .utf8(foldKey), .time(pace.start), .int64(Int64(pace.count)), .bool(pace.hasWaiting),
                .time(pace.end),
            ])
    }

    func move(by span: Duration) throws {
        try connection.queue(
            "UPDATE push_pace SET start = start + $1, ends_at = ends_at + $1", [.int64(span.milliseconds)])
    }

    func removeEnded(at now: Timestamp) throws {
        // A row that somebody writes at this moment is not over, or goes the next time.
        try connection.queue(
            """
            DELETE FROM push_pace WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM push_pace WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED
            ))
            """, [.time(now), .int64(Self.sweptRows)])
    }
}
