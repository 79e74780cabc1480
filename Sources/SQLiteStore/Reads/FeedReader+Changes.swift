import Deliveries
import GRDB
import Inbox
import JSON
import Store

/// Reads changes of items that a client may have.
extension FeedReader {
    func changes(of feed: FeedRecord, after offset: Int64) throws -> [ToldFeedChange] {
        let statement = try db.statement(
            sql: """
                SELECT offset, published_at, target, is_removal, item_id, tags FROM feed_change AS told
                WHERE feed = ?1 AND offset > ?2 AND target <= ?2
                    AND NOT EXISTS (
                        SELECT 1 FROM feed_change AS later
                        WHERE later.feed = ?1 AND later.offset > told.offset AND later.target = told.target)
                """)
        let naming = RowNaming(table: "feed_change", scope: feed.id)
        return try statement.sound([feed.id, offset], of: naming, damage) { row in
            var checked = CheckedRow(row)
            let tags = try JSONValue(parsing: Array(checked.text(5).utf8)).array
            let target = checked.count(2)
            let change = ToldFeedChange(
                offset: checked.count(0), time: checked.time(1),
                change: checked.flag(3) ? .removes(target) : .replaces(target), id: checked.text(4),
                tags: (tags ?? []).compactMap(\.string))
            if checked.isDamaged || tags == nil { throw naming.row(row) }
            return change
        }
    }

    func lastChange(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64? {
        guard feed.change != nil else { return nil }
        let statement = try db.statement(
            sql: """
                SELECT offset FROM feed_change WHERE feed = ? AND published_at <= ? ORDER BY offset DESC LIMIT 1
                """)
        return try statement.first([feed.id, time.milliseconds]) { try $0.int(0) }
    }
}

/// Counts what is behind a place.
extension FeedReader {
    func countOfItems(after offset: Int64, upTo end: Int64, in feed: FeedRecord) throws -> Int64 {
        let statement = try db.statement(
            sql: "SELECT count(*) FROM feed_item WHERE feed = ? AND offset > ? AND offset <= ?")
        return try statement.first([feed.id, offset, end]) { try $0.int(0) } ?? 0
    }

    func countOfChanges(after offset: Int64, in feed: FeedRecord) throws -> (all: Int64, removals: Int64) {
        let statement = try db.statement(
            sql: """
                SELECT count(*), count(*) FILTER (WHERE is_removal = 1 AND target > ?2) FROM feed_change
                WHERE feed = ?1 AND offset > ?2
                """)
        return try statement.first([feed.id, offset]) { (all: try $0.int(0), removals: try $0.int(1)) } ?? (0, 0)
    }
}
