import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// Writes changes of feed items, under the lock of their feed's row.
final class PostgresFeedChanges: PostgresPart, FeedChangeRows {
    // MARK: Looking

    func item(_ id: String, in feed: FeedRecord) throws -> StoredItem? {
        try connection.run(
            #"SELECT "offset", published_at, json FROM feed_item WHERE feed = $1 AND item_id = $2"#,
            [.int64(feed.id), .text(id)]
        ).first.map { row in
            StoredItem(
                place: FeedTip.Place(offset: try row.int64(0), time: Timestamp(milliseconds: try row.int64(1))),
                json: try row.bytes(2))
        }
    }

    func id(at offset: Int64, in feed: FeedRecord) throws -> String? {
        try connection.run(
            #"SELECT coalesce(item_id, '') FROM feed_item WHERE feed = $1 AND "offset" = $2"#, place(offset, feed)
        ).first?.text(0)
    }

    func tags(at offset: Int64, in feed: FeedRecord) throws -> [String] {
        try connection.run(
            #"SELECT tag FROM feed_tag WHERE feed = $1 AND "offset" = $2 ORDER BY tag"#, place(offset, feed)
        ).map { try $0.text(0) }
    }

    func item(
        before offset: Int64, in feed: FeedRecord
    ) throws -> (place: FeedTip.Place, author: String?, other: FeedTip.Place?)? {
        try connection.run(
            """
            SELECT "offset", published_at, author, other, other_at FROM feed_item WHERE feed = $1 AND "offset" < $2
            ORDER BY "offset" DESC LIMIT 1
            """, place(offset, feed)
        ).first.map { row in
            guard let newest = try FeedTip.Place(row, at: 0) else { throw DamagedRow(table: "feed_item") }
            return (place: newest, author: try row.textOrNil(2), other: try FeedTip.Place(row, at: 3))
        }
    }

    private func place(_ offset: Int64, _ feed: FeedRecord) -> [PostgresValue] { [.int64(feed.id), .int64(offset)] }

    // MARK: Writing

    func append(_ change: FeedChange, by item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) throws {
        let tags = JSONValue.array(item.tags.map(JSONValue.string)).encoded
        let isRemoval = if case .removes = change { true } else { false }
        try connection.queue(
            """
            INSERT INTO feed_change (feed, "offset", published_at, target, is_removal, item_id, tags)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .int64(feed.id), .int64(place.offset), .int64(place.time.milliseconds), .int64(change.target),
                .bool(isRemoval), .text(item.id ?? ""), .text(String(decoding: tags, as: UTF8.self)),
            ])
    }

    func write(_ json: [UInt8], at offset: Int64, of feed: FeedRecord) throws {
        try connection.queue(
            #"UPDATE feed_item SET json = $3 WHERE feed = $1 AND "offset" = $2"#, place(offset, feed) + [.bytes(json)])
    }

    func deleteTags(at offset: Int64, of feed: FeedRecord) throws {
        try connection.queue(#"DELETE FROM feed_tag WHERE feed = $1 AND "offset" = $2"#, place(offset, feed))
    }

    func delete(_ offset: Int64, from feed: FeedRecord) throws {
        try connection.queue(#"DELETE FROM feed_item WHERE feed = $1 AND "offset" = $2"#, place(offset, feed))
        try deleteTags(at: offset, of: feed)
    }

    func write(other: FeedTip.Place?, at offset: Int64, of feed: FeedRecord) throws {
        try connection.queue(
            #"UPDATE feed_item SET other = $3, other_at = $4 WHERE feed = $1 AND "offset" = $2"#,
            place(offset, feed) + [.int64(other?.offset), .int64(other?.time.milliseconds)])
    }
}
