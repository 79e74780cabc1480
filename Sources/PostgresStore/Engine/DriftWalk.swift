import Deliveries
import Inbox
import Postgres

/// Compares unread counts with the rows that are unread, some inboxes at each call: by and by all of them.
struct DriftWalk {
    /// How many inboxes a call compares: some hundredths of a second.
    private static let together: Int64 = 2_000

    /// Of the last walk that came to its end.
    private(set) var total: Int64 = 0
    /// When that one began; nil if none has come to its end yet.
    private(set) var began: Timestamp?
    private var current: (began: Timestamp, last: Int64, drift: Int64)?

    private static let compare = PostgresStatement(
        composed: """
            SELECT count(*), max(id), sum(abs(counted - rows))::int8 FROM (
                SELECT inbox.id, coalesce(newest.unread_after, unread) AS counted, (
                    SELECT count(*) FROM notification WHERE notification.inbox = inbox.id AND NOT is_read
                ) AS rows
                FROM (SELECT id, seq, unread FROM inbox WHERE id > $1 ORDER BY id LIMIT $2) AS inbox
                \(InboxRecord.newest)
            ) AS compared
            """)

    /// Goes on, with an inbox's counts and rows as of one moment.
    mutating func step(at now: Timestamp, on connection: PostgresConnection) throws {
        var walk = current ?? (now, 0, 0)
        let row = try connection.run(Self.compare, [.int64(walk.last), .int64(Self.together)])[0]
        let count = try row.int64(0)
        if count > 0 { (walk.last, walk.drift) = (try row.int64(1), walk.drift + (try row.int64(2))) }
        current = walk
        guard count < Self.together else { return }
        (total, began, current) = (walk.drift, walk.began, nil)
    }
}
