import Deliveries
import Postgres

/// How far people have viewed feeds.
final class PostgresFeedMarks: PostgresPart, FeedMarkRows {
    func mark(_ offset: Int64, feed: Int64, inbox: Int64) throws -> Int64 {
        try connection.run(
            """
            INSERT INTO feed_mark (inbox, feed, viewed) VALUES ($1, $2, $3)
            ON CONFLICT (inbox, feed) DO UPDATE SET viewed = greatest(feed_mark.viewed, excluded.viewed)
            RETURNING viewed
            """, [.int64(inbox), .int64(feed), .int64(offset)])[0].int64(0)
    }

    func remove(inbox: Int64) throws -> Int {
        try connection.run("DELETE FROM feed_mark WHERE inbox = $1", [.int64(inbox)]).changedRows
    }
}
