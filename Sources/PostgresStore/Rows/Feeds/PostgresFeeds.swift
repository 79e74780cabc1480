import Deliveries
import Inbox
import Postgres
import Store

/// Writes feeds, and keeps them short.
///
/// Who changes a feed holds its row's lock, from the moment at which it reads the feed's tip.
final class PostgresFeeds: PostgresPart, FeedRows {
    private var reads: PostgresFeedReads { PostgresFeedReads(rows) }

    // MARK: Looking

    func record(named name: String) throws -> FeedRecord? {
        // A statement of its own: the next one sees the items that came while this one waited.
        try connection.queue("SELECT 1 FROM feed WHERE name = $1 FOR UPDATE", [.text(name)])
        return try reads.record(named: name)
    }

    func firstEpoch(of name: String) throws -> String { try reads.firstEpoch(of: name) }
    func beginning(of name: String) throws -> FeedPosition { try reads.beginning(of: name) }
    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64? {
        try reads.lastOffset(upTo: time, in: feed)
    }
    func countOfItems(after offset: Int64, upTo end: Int64, in feed: FeedRecord) throws -> Int64 {
        try reads.countOfItems(after: offset, upTo: end, in: feed)
    }
    func countOfChanges(after offset: Int64, in feed: FeedRecord) throws -> (all: Int64, removals: Int64) {
        try reads.countOfChanges(after: offset, in: feed)
    }

    func lastOffset(behind count: Int64, in feed: FeedRecord) throws -> Int64? {
        try connection.run(
            #"SELECT "offset" FROM feed_item WHERE feed = $1 ORDER BY "offset" DESC LIMIT 1 OFFSET $2"#,
            [.int64(feed.id), .int64(count)]
        ).first?.int64(0)
    }

    // MARK: Writing

    func create(_ name: String, epoch: String) throws -> FeedRecord {
        // Another node may have made it since this one looked, with items. Writing the name again locks its row.
        try connection.queue(
            """
            INSERT INTO feed (name, epoch) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET name = excluded.name
            """, [.text(name), .text(epoch)])
        guard let record = try reads.record(named: name) else { throw DamagedRow(table: "feed") }
        return record
    }

    func append(_ item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) throws {
        try connection.queue(
            """
            INSERT INTO feed_item (feed, "offset", published_at, author, other, other_at, item_id, json)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .int64(feed.id), .int64(place.offset), .int64(place.time.milliseconds), .text(feed.tip.author),
                .int64(feed.tip.other?.offset), .int64(feed.tip.other?.time.milliseconds), .text(item.id),
                .bytes(item.json),
            ])
        try insert(tags: item.tags, offset: place.offset, of: feed)
    }

    func insert(tags: [String], offset: Int64, of feed: FeedRecord) throws {
        guard !tags.isEmpty else { return }
        try connection.queue(
            """
            INSERT INTO feed_tag (feed, tag, "offset") SELECT $1, tag, $3 FROM unnest($2) AS new (tag)
            ON CONFLICT DO NOTHING
            """, [.int64(feed.id), .texts(tags), .int64(offset)])
    }

    func drop(itemsUpTo item: Int64, changesUpTo change: Int64, of feed: FeedRecord) throws {
        let items: [PostgresValue] = [.int64(feed.id), .int64(item)]
        try connection.queue(#"DELETE FROM feed_item WHERE feed = $1 AND "offset" <= $2"#, items)
        try connection.queue(#"DELETE FROM feed_tag WHERE feed = $1 AND "offset" <= $2"#, items)
        let changes: [PostgresValue] = [.int64(feed.id), .int64(change)]
        try connection.queue(#"DELETE FROM feed_change WHERE feed = $1 AND "offset" <= $2"#, changes)
        try connection.queue("UPDATE feed SET trimmed = $2 WHERE id = $1", changes)
    }
}
