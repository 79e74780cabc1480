import Deliveries
import GRDB
import Inbox
import JSON
import Store

/// Reads feeds, all as of the snapshot that `db` is in.
struct FeedReader: FeedReads {
    let db: Database
    let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    func record(named name: String) throws -> FeedRecord? {
        try db.statement(sql: FeedRecord.query).first([name], FeedRecord.init)
    }

    func beginning(of name: String) throws -> FeedPosition {
        FeedPosition(epoch: try firstEpoch(of: name), offset: 0)
    }

    /// The epoch of a feed that begins: the store's epoch, and a part of the feed's own.
    func firstEpoch(of name: String) throws -> String {
        guard let epoch = try db.statement(sql: "SELECT epoch FROM store_epoch").first([], { try $0.text(0) })
        else { throw DamagedRow(table: "store_epoch") }
        return epoch + String(ListMark.of(name), radix: 36)
    }

    func offsets(
        of feed: FeedRecord, above low: Int64, upTo high: Int64, tags: [String], limit: Int, isNewestFirst: Bool
    ) throws -> [Int64] {
        let order = isNewestFirst ? "DESC" : "ASC"
        guard !tags.isEmpty else {
            let statement = try db.statement(
                sql: """
                    SELECT offset FROM feed_item WHERE feed = ? AND offset > ? AND offset <= ?
                    ORDER BY offset \(order) LIMIT ?
                    """)
            return try statement.all([feed.id, low, high, limit]) { try $0.int(0) }
        }
        let statement = try db.statement(
            sql: """
                SELECT offset FROM feed_tag WHERE feed = ? AND tag = ? AND offset > ? AND offset <= ?
                ORDER BY offset \(order) LIMIT ?
                """)
        // The first ones of each tag include the first ones of all.
        var found: Set<Int64> = []
        for tag in tags {
            found.formUnion(try statement.all([feed.id, tag, low, high, limit]) { try $0.int(0) })
        }
        return Array(found.sorted(by: isNewestFirst ? { $0 > $1 } : { $0 < $1 }).prefix(limit))
    }

    func item(at offset: Int64, of feed: FeedRecord) throws -> (time: Timestamp, json: [UInt8])? {
        let statement = try db.statement(
            sql: "SELECT published_at, json FROM feed_item WHERE feed = ? AND offset = ?")
        // A replacement may be told of an item that has gone with time.
        return try statement.first([feed.id, offset]) { row in
            var row = CheckedRow(row)
            let (time, json) = (row.time(0), row.optionalBytes(1) ?? [])
            if !row.isDamaged, Self.isJSON(json) { return (time: time, json: json) }
            damage.leaveOut(DamagedRow(table: "feed_item", key: "\(feed.id), \(offset)"))
            return nil
        } ?? nil
    }

    /// Whether it is valid JSON, as frames and answers send it unchanged.
    private static func isJSON(_ json: [UInt8]) -> Bool {
        json.withUnsafeBytes { (try? JSONNode(parsing: $0)) != nil }  // any mistake is damage
    }

    /// Times rise with offsets, so this is a binary search. An index on times would cost a page more to write for each
    /// item.
    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64? {
        guard let oldest = try oldestOffset(of: feed) else { return nil }
        // Removed items leave gaps.
        let statement = try db.statement(
            sql: """
                SELECT offset, published_at FROM feed_item WHERE feed = ? AND offset BETWEEN ? AND ?
                ORDER BY offset DESC LIMIT 1
                """)
        // Items before `low` were published by then, items behind `high` were not.
        var (low, high, found) = (oldest, feed.position.offset, Int64?.none)
        while low <= high {
            let middle = low + (high - low) / 2
            let row = try statement.first([feed.id, low, middle]) { (offset: try $0.int(0), stamp: try $0.int(1)) }
            guard let row else {
                low = middle + 1
                continue
            }
            if row.stamp <= time.milliseconds {
                (found, low) = (row.offset, middle + 1)
            } else {
                high = row.offset - 1
            }
        }
        return found
    }

    private func oldestOffset(of feed: FeedRecord) throws -> Int64? {
        let statement = try db.statement(sql: "SELECT min(offset) FROM feed_item WHERE feed = ?")
        return try statement.first([feed.id]) { try $0.optionalInt(0) } ?? nil
    }
}
