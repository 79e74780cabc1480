import Deliveries
import GRDB
import Inbox
import Store

/// Writes feeds, and keeps them short.
final class FeedTable: FeedRows {
    private let reader: FeedReader
    private let create: Statement
    private let find: Statement
    private let insert: Statement
    private let insertTag: Statement
    private let lastToGo: Statement
    private let trimItems: [Statement]
    private let trimChanges: Statement
    private let writeTrimmed: Statement

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        reader = FeedReader(db, damage)
        create = try db.statement(sql: "INSERT INTO feed (name, epoch) VALUES (?, ?) RETURNING id")
        find = try Statement(
            db, sql: "SELECT offset, published_at FROM feed_item WHERE feed = ? AND item_id = ?")
        insert = try Statement(
            db,
            sql: """
                INSERT INTO feed_item (feed, offset, published_at, author, other, other_at, item_id, json)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        insertTag = try Statement(db, sql: "INSERT INTO feed_tag (feed, tag, offset) VALUES (?, ?, ?)")
        lastToGo = try db.statement(
            sql: "SELECT offset FROM feed_item WHERE feed = ? ORDER BY offset DESC LIMIT 1 OFFSET ?")
        let trims = try ["feed_item", "feed_tag", "feed_change"].map { table in
            try db.statement(sql: "DELETE FROM \(table) WHERE feed = ? AND offset <= ?")
        }
        (trimItems, trimChanges) = (Array(trims[..<2]), trims[2])
        writeTrimmed = try db.statement(sql: "UPDATE feed SET trimmed = ? WHERE id = ?")
    }

    // MARK: Looking

    func record(named name: String) throws -> FeedRecord? { try reader.record(named: name) }
    func firstEpoch(of name: String) throws -> String { try reader.firstEpoch(of: name) }
    func beginning(of name: String) throws -> FeedPosition { try reader.beginning(of: name) }
    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64? {
        try reader.lastOffset(upTo: time, in: feed)
    }
    func countOfItems(after offset: Int64, upTo end: Int64, in feed: FeedRecord) throws -> Int64 {
        try reader.countOfItems(after: offset, upTo: end, in: feed)
    }
    func countOfChanges(after offset: Int64, in feed: FeedRecord) throws -> (all: Int64, removals: Int64) {
        try reader.countOfChanges(after: offset, in: feed)
    }
    func lastOffset(behind count: Int64, in feed: FeedRecord) throws -> Int64? {
        try lastToGo.first([feed.id, count]) { try $0.int(0) }
    }

    // MARK: Writing

    func create(_ name: String, epoch: String) throws -> FeedRecord {
        guard let id = try create.first([name, epoch], { try $0.int(0) }) else { throw DamagedRow(table: "feed") }
        return FeedRecord(id: id, epoch: epoch)
    }

    /// The place of an item with this id, while the feed keeps it.
    func place(ofItem id: String, in feed: FeedRecord) throws -> FeedTip.Place? {
        try find.first {
            $0.append(feed.id)
            $0.append(id)
        } _: { row in
            FeedTip.Place(offset: try row.int(0), time: Timestamp(milliseconds: try row.int(1)))
        }
    }

    /// Writes an item.
    ///
    /// - Parameter place: the item's place, which the feed's tip already has.
    func append(_ item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) throws {
        try insert.execute {
            $0.append(feed.id)
            $0.append(place.offset)
            $0.append(place.time.milliseconds)
            $0.append(feed.tip.author)
            $0.append(feed.tip.other?.offset)
            $0.append(feed.tip.other?.time.milliseconds)
            $0.append(item.id)
            $0.append(item.json)
        }
        try insert(tags: item.tags, offset: place.offset, of: feed)
    }

    func insert(tags: [String], offset: Int64, of feed: FeedRecord) throws {
        for tag in tags {
            try insertTag.execute {
                $0.append(feed.id)
                $0.append(tag)
                $0.append(offset)
            }
        }
    }

    func drop(itemsUpTo item: Int64, changesUpTo change: Int64, of feed: FeedRecord) throws {
        for trim in trimItems { try trim.execute(arguments: [feed.id, item]) }
        try trimChanges.execute(arguments: [feed.id, change])
        try writeTrimmed.execute(arguments: [change, feed.id])
    }
}
