import Migration
import Postgres

/// The table `epoch_renewal` of a database whose inboxes and feeds are getting new epochs: how far they are. No node
/// opens such a database.
enum EpochMark {
    struct Place {
        let isAtFeeds: Bool
        /// The last inbox or feed that is done.
        let last: Int64
        let inboxes: Int64
        let feeds: Int64
    }

    static func isThere(_ connection: PostgresConnection) throws -> Bool {
        try connection.run("SELECT to_regclass('epoch_renewal') IS NOT NULL")[0].bool(0)
    }

    static func makeUnlessThere(_ connection: PostgresConnection) throws {
        guard try !isThere(connection) else { return }
        try connection.transaction {
            try connection.queue(
                """
                CREATE TABLE epoch_renewal (is_at_feeds bool NOT NULL, last int8 NOT NULL, inboxes int8 NOT NULL,
                    feeds int8 NOT NULL)
                """)
            try connection.queue("INSERT INTO epoch_renewal VALUES (false, 0, 0, 0)")
        }
    }

    static func read(_ connection: PostgresConnection) throws -> Place {
        let row = try connection.run("SELECT is_at_feeds, last, inboxes, feeds FROM epoch_renewal")[0]
        return Place(
            isAtFeeds: try row.bool(0), last: try row.int64(1), inboxes: try row.int64(2), feeds: try row.int64(3))
    }

    /// - Parameter last: nil if there were no more.
    static func advance(by count: Int, to last: Int64?, _ connection: PostgresConnection) throws {
        guard let last else { return }
        try connection.queue(
            """
            UPDATE epoch_renewal SET last = $1, inboxes = inboxes + CASE WHEN is_at_feeds THEN 0 ELSE $2 END,
                feeds = feeds + CASE WHEN is_at_feeds THEN $2 ELSE 0 END
            """, [.int64(last), .int64(Int64(count))])
    }

    static func goOnWithFeeds(_ connection: PostgresConnection) throws {
        try connection.run("UPDATE epoch_renewal SET is_at_feeds = true, last = 0")
    }

    /// Also renews the epoch of feeds that have no item yet, and lets nodes open the database.
    static func end(_ connection: PostgresConnection) throws -> RenewedEpochs {
        try connection.transaction {
            let place = try read(connection)
            try connection.queue(
                """
                UPDATE store_epoch
                SET epoch = left(gen_random_uuid()::text, 8) || right(gen_random_uuid()::text, 12)
                """)
            try connection.queue("DROP TABLE epoch_renewal")
            return RenewedEpochs(inboxes: place.inboxes, feeds: place.feeds)
        }
    }
}
