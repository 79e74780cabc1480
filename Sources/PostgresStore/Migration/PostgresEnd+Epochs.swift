package import Migration
import Postgres

extension PostgresEnd: EpochRenewal {
    package func renewEpochs(_ progress: (Int64) throws -> Void) throws -> RenewedEpochs {
        try renewEpochs(together: 10_000, progress)
    }

    /// - Parameter count: of inboxes or feeds in one transaction.
    package func renewEpochs(together count: Int64, _ progress: (Int64) throws -> Void) throws -> RenewedEpochs {
        try EpochMark.makeUnlessThere(connection)
        while true {
            let found: Int = try connection.transaction {
                let mark = try EpochMark.read(connection)
                let changed = try connection.run(
                    mark.isAtFeeds ? Self.feeds : Self.inboxes, [.int64(mark.last), .int64(count)])
                try EpochMark.advance(by: changed.count, to: try changed.last?.int64(0), connection)
                return changed.count
            }
            let mark = try EpochMark.read(connection)
            if found < count {
                if mark.isAtFeeds {
                    try checkNobodyCame()
                    return try EpochMark.end(connection)
                }
                try EpochMark.goOnWithFeeds(connection)
            }
            try progress(mark.inboxes + mark.feeds)
        }
    }

    private func checkNobodyCame() throws {
        do { try checkUnused() } catch { throw MigrationProblem.startedMeanwhile(at: name) }
    }

    /// The newest notification may have told an inbox's counts so far: they go into its row, together with the number.
    private static let inboxes = PostgresStatement(
        composed: """
            WITH page AS (SELECT id FROM inbox WHERE id > $1 ORDER BY id LIMIT $2),
            changed AS (
                UPDATE inbox SET epoch = \(newEpoch), seq = state.seq + \(RenewedEpochs.skippedNumbers),
                    unread = state.unread, unseen = state.unseen, total = state.total
                FROM (
                    SELECT inbox.id, coalesce(newest.id, inbox.seq) AS seq,
                        coalesce(newest.unread_after, inbox.unread) AS unread,
                        coalesce(newest.unseen_after, inbox.unseen) AS unseen,
                        inbox.total + coalesce(newest.id - inbox.seq, 0) AS total
                    FROM inbox JOIN page USING (id)
                    LEFT JOIN LATERAL (
                        SELECT id, unread_after, unseen_after FROM notification
                        WHERE notification.inbox = inbox.id AND notification.id > inbox.seq
                        ORDER BY notification.id DESC LIMIT 1) AS newest ON true
                ) AS state WHERE state.id = inbox.id RETURNING inbox.id
            )
            SELECT id FROM changed ORDER BY id
            """)

    private static let feeds = PostgresStatement(
        composed: """
            WITH page AS (SELECT id FROM feed WHERE id > $1 ORDER BY id LIMIT $2),
            changed AS (UPDATE feed SET epoch = \(newEpoch) FROM page WHERE page.id = feed.id RETURNING feed.id)
            SELECT id FROM changed ORDER BY id
            """)

    /// Another one for each row. Both ends of a random UUID are random.
    private static var newEpoch: String { "left(gen_random_uuid()::text, 8) || right(gen_random_uuid()::text, 7)" }
}
