import Deliveries
import Inbox
import Postgres

extension FeedRecord {
    /// Finds the feed named `$1`. An item's row holds the tip as of that item, so appending an item writes one row.
    static let query: PostgresStatement = """
        SELECT feed.id, epoch, item."offset", item.published_at, author, other, other_at, changed."offset",
            changed.published_at, trimmed
        FROM feed
        LEFT JOIN LATERAL (
            SELECT * FROM feed_item WHERE feed_item.feed = feed.id ORDER BY feed_item."offset" DESC LIMIT 1
        ) AS item ON true
        LEFT JOIN LATERAL (
            SELECT * FROM feed_change WHERE feed_change.feed = feed.id ORDER BY feed_change."offset" DESC LIMIT 1
        ) AS changed ON true
        WHERE name = $1
        """

    /// - Parameter row: of the ``query``.
    init(_ row: PostgresRow) throws {
        let tip = FeedTip(
            newest: try FeedTip.Place(row, at: 2), author: try row.textOrNil(4), other: try FeedTip.Place(row, at: 5))
        let change = try FeedTip.Place(row, at: 7)
        let newest = max(tip.newest?.offset ?? 0, change?.offset ?? 0)
        self.init(
            id: try row.int64(0), epoch: try row.text(1), tip: tip, change: change,
            trimmed: min(try row.int64(9), newest))
    }
}

extension FeedTip.Place {
    /// The offset in a column, with the time in the next one; nil for NULL.
    init?(_ row: PostgresRow, at column: Int) throws {
        guard let offset = try row.int64OrNil(column) else { return nil }
        self.init(offset: offset, time: Timestamp(milliseconds: try row.int64OrNil(column + 1) ?? 0))
    }
}
