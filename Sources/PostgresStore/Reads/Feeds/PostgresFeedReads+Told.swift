import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// What subscribers would have been told.
extension PostgresFeedReads {
    /// The items and changes behind an offset, in their order, and how far they go.
    ///
    /// - Parameter epoch: nil if the feed had no item.
    /// - Returns: nil if the feed has begun anew since, or what is missing is gone.
    func told(
        of name: String, epoch: String?, after offset: Int64, limit: Int
    ) throws -> (items: [Commit.FeedDelivery], end: Int64)? {
        guard let feed = try record(named: name), epoch == nil || epoch == feed.epoch, feed.trimmed <= offset else {
            return nil
        }
        let found = try (toldItems(feed, name, offset, limit) + toldChanges(feed, name, offset, limit))
            .sorted { $0.position.offset < $1.position.offset }
        let items = Array(found.prefix(limit))
        // A full page may leave some for the next one.
        return (items, items.count < limit ? feed.position.offset : items.last?.position.offset ?? offset)
    }

    private func toldItems(
        _ feed: FeedRecord, _ name: String, _ offset: Int64, _ limit: Int
    ) throws -> [Commit.FeedDelivery] {
        try connection.run(
            """
            SELECT "offset", published_at, item_id, author, json, (
                SELECT json_agg(tag)::text FROM feed_tag
                WHERE feed_tag.feed = feed_item.feed AND feed_tag."offset" = feed_item."offset"
            )
            FROM feed_item WHERE feed = $1 AND "offset" > $2 ORDER BY "offset" LIMIT $3
            """, [.int64(feed.id), .int64(offset), .int64(Int64(limit))]
        ).map { row in
            let item = FeedItem(
                feed: name, json: try row.bytes(4), publishedAt: Timestamp(milliseconds: try row.int64(1)),
                id: try row.textOrNil(2), author: try row.textOrNil(3), tags: try Self.tags(row.textOrNil(5)))
            return .init(item: item, position: FeedPosition(epoch: feed.epoch, offset: try row.int64(0)))
        }
    }

    private func toldChanges(
        _ feed: FeedRecord, _ name: String, _ offset: Int64, _ limit: Int
    ) throws -> [Commit.FeedDelivery] {
        guard feed.change != nil else { return [] }
        return try connection.run(
            """
            SELECT told."offset", told.published_at, told.target, told.is_removal, told.item_id, told.tags, changed.json
            FROM feed_change AS told
            LEFT JOIN feed_item AS changed ON changed.feed = told.feed AND changed."offset" = told.target
            WHERE told.feed = $1 AND told."offset" > $2 ORDER BY told."offset" LIMIT $3
            """, [.int64(feed.id), .int64(offset), .int64(Int64(limit))]
        ).map { row in
            let (target, id) = (try row.int64(2), try row.text(4))
            var item: FeedItem
            if try !row.bool(3), let json = try row.bytesOrNil(6) {
                item = FeedItem(
                    feed: name, json: json, publishedAt: Timestamp(milliseconds: try row.int64(1)), id: id,
                    tags: try Self.tags(row.text(5)))
                item.change = .replaces(target)
            } else {
                item = .removal(of: id, at: target, from: name, tags: try Self.tags(row.text(5)))
            }
            return .init(item: item, position: FeedPosition(epoch: feed.epoch, offset: try row.int64(0)))
        }
    }

    private static func tags(_ json: String?) -> [String] {
        // A change whose tags cannot be read has none.
        json.flatMap { try? JSONValue(parsing: $0).array }?.compactMap(\.string) ?? []
    }
}
