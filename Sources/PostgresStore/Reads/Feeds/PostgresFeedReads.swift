import Deliveries
import Inbox
import JSON
import Postgres
import Store

/// Reads feeds, their items and viewers.
struct PostgresFeedReads: FeedReads {
    let rows: PostgresRows
    var connection: PostgresConnection { rows.connection }

    init(_ rows: PostgresRows) { self.rows = rows }

    // MARK: Feeds

    func record(named name: String) throws -> FeedRecord? {
        try connection.run(FeedRecord.query, [.text(name)]).first.map { try FeedRecord($0) }
    }

    /// The epoch of a feed that begins: the store's epoch, and a part of the feed's own.
    func firstEpoch(of name: String) throws -> String {
        guard let row = try connection.run("SELECT epoch FROM store_epoch").first else {
            throw DamagedRow(table: "store_epoch")
        }
        return try row.text(0) + String(ListMark.of(name), radix: 36)
    }

    func beginning(of name: String) throws -> FeedPosition {
        FeedPosition(epoch: try firstEpoch(of: name), offset: 0)
    }

    // MARK: Items

    func offsets(
        of feed: FeedRecord, above low: Int64, upTo high: Int64, tags: [String], limit: Int, isNewestFirst: Bool
    ) throws -> [Int64] {
        let order = isNewestFirst ? "DESC" : "ASC"
        let span: [PostgresValue] = [.int64(feed.id), .int64(low), .int64(high), .int64(Int64(limit))]
        guard !tags.isEmpty else {
            let all = PostgresStatement(
                composed: """
                    SELECT "offset" FROM feed_item WHERE feed = $1 AND "offset" > $2 AND "offset" <= $3
                    ORDER BY "offset" \(order) LIMIT $4
                    """)
            return try connection.run(all, span).map { try $0.int64(0) }
        }
        // The first ones of each tag include the first ones of all.
        let tagged = PostgresStatement(
            composed: """
                SELECT DISTINCT found."offset" FROM unnest($5) AS wanted (tag) CROSS JOIN LATERAL (
                    SELECT "offset" FROM feed_tag
                    WHERE feed = $1 AND tag = wanted.tag AND "offset" > $2 AND "offset" <= $3
                    ORDER BY "offset" \(order) LIMIT $4
                ) AS found ORDER BY found."offset" \(order) LIMIT $4
                """)
        return try connection.run(tagged, span + [.texts(tags)]).map { try $0.int64(0) }
    }

    func item(at offset: Int64, of feed: FeedRecord) throws -> (time: Timestamp, json: [UInt8])? {
        let found = try connection.run(
            #"SELECT published_at, json FROM feed_item WHERE feed = $1 AND "offset" = $2"#,
            [.int64(feed.id), .int64(offset)])
        guard let row = found.first else { return nil }
        let (time, json) = (Timestamp(milliseconds: try row.int64(0)), try row.bytes(1))
        return Self.isJSON(json) ? (time, json) : nil
    }

    /// Whether it is valid JSON, as frames and answers send it unchanged.
    private static func isJSON(_ json: [UInt8]) -> Bool {
        json.withUnsafeBytes { (try? JSONNode(parsing: $0)) != nil }  // any mistake is damage
    }

    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64? {
        // Times rise with offsets.
        try connection.run(
            """
            SELECT "offset" FROM feed_item WHERE feed = $1 AND published_at <= $2 ORDER BY published_at DESC LIMIT 1
            """, [.int64(feed.id), .int64(time.milliseconds)]
        ).first?.int64(0)
    }

    func countOfItems(after offset: Int64, upTo end: Int64, in feed: FeedRecord) throws -> Int64 {
        try connection.run(
            #"SELECT count(*) FROM feed_item WHERE feed = $1 AND "offset" > $2 AND "offset" <= $3"#,
            [.int64(feed.id), .int64(offset), .int64(end)])[0].int64(0)
    }

    // MARK: Changes

    func changes(of feed: FeedRecord, after offset: Int64) throws -> [ToldFeedChange] {
        try connection.run(
            """
            SELECT "offset", published_at, target, is_removal, item_id, tags FROM feed_change AS told
            WHERE feed = $1 AND "offset" > $2 AND target <= $2
                AND NOT EXISTS (
                    SELECT 1 FROM feed_change AS later
                    WHERE later.feed = $1 AND later."offset" > told."offset" AND later.target = told.target)
            """, [.int64(feed.id), .int64(offset)]
        ).compactMap { row in
            // A change whose tags cannot be read is left out.
            guard let tags = try? JSONValue(parsing: try row.text(5)).array else { return nil }
            let target = try row.int64(2)
            return ToldFeedChange(
                offset: try row.int64(0), time: Timestamp(milliseconds: try row.int64(1)),
                change: try row.bool(3) ? .removes(target) : .replaces(target), id: try row.text(4),
                tags: tags.compactMap(\.string))
        }
    }

    func lastChange(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64? {
        guard feed.change != nil else { return nil }
        return try connection.run(
            """
            SELECT "offset" FROM feed_change WHERE feed = $1 AND published_at <= $2 ORDER BY "offset" DESC LIMIT 1
            """, [.int64(feed.id), .int64(time.milliseconds)]
        ).first?.int64(0)
    }

    func countOfChanges(after offset: Int64, in feed: FeedRecord) throws -> (all: Int64, removals: Int64) {
        let row = try connection.run(
            """
            SELECT count(*), count(*) FILTER (WHERE is_removal AND target > $2) FROM feed_change
            WHERE feed = $1 AND "offset" > $2
            """, [.int64(feed.id), .int64(offset)])[0]
        return (all: try row.int64(0), removals: try row.int64(1))
    }
}
