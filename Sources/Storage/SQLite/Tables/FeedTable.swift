import GRDB
import Inbox

/// One row of `feed`, and what the row of its newest item tells.
struct FeedRecord: Sendable {
    let id: Int64
    let epoch: String
    var tip: FeedTip

    var position: FeedPosition { FeedPosition(epoch: epoch, offset: tip.newest?.offset ?? 0) }

    /// Finds the feed whose name is the query's argument. An item's row has the tip as of that item, so appending one
    /// writes one row; the newest item is always kept.
    static let query = """
        SELECT id, epoch, offset, published_at, author, other, other_at FROM feed
        LEFT JOIN feed_item ON feed = id AND offset = (SELECT max(offset) FROM feed_item WHERE feed = id)
        WHERE name = ?
        """

    init(id: Int64, epoch: String) { (self.id, self.epoch, tip) = (id, epoch, FeedTip()) }

    /// - Parameter row: of the ``query``.
    init(_ row: StoredRow) throws {
        id = try row.int(0)
        epoch = try row.text(1)
        tip = FeedTip(
            newest: try row.optionalInt(2).map {
                .init(offset: $0, time: Timestamp(milliseconds: try row.int(3)))
            },
            author: try row.optionalText(4),
            other: try row.optionalInt(5).map {
                .init(offset: $0, time: Timestamp(milliseconds: try row.int(6)))
            })
    }
}

/// Writes feeds, and keeps them short.
final class FeedTable {
    private let create: Statement
    private let find: DirectStatement
    private let insert: DirectStatement
    private let insertTag: DirectStatement
    private let trim: Statement
    private let trimTags: Statement

    init(_ db: Database) throws {
        create = try db.cachedStatement(sql: "INSERT INTO feed (name, epoch) VALUES (?, ?) RETURNING id")
        find = try DirectStatement(
            db, sql: "SELECT offset, published_at FROM feed_item WHERE feed = ? AND item_id = ?")
        insert = try DirectStatement(
            db,
            sql: """
                INSERT INTO feed_item (feed, offset, published_at, author, other, other_at, item_id, json)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        insertTag = try DirectStatement(db, sql: "INSERT INTO feed_tag (feed, tag, offset) VALUES (?, ?, ?)")
        trim = try db.cachedStatement(sql: "DELETE FROM feed_item WHERE feed = ? AND offset <= ?")
        trimTags = try db.cachedStatement(sql: "DELETE FROM feed_tag WHERE feed = ? AND offset <= ?")
    }

    func create(_ name: String, epoch: String) throws -> FeedRecord {
        guard let id = try create.first([name, epoch], { try $0.int(0) }) else { throw DamagedRow(table: "feed") }
        return FeedRecord(id: id, epoch: epoch)
    }

    /// Where the item of this id is, while the feed keeps it.
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
    /// - Parameters:
    ///   - place: where it is, which the feed's tip knows already.
    ///   - length: how many items the feed keeps. Old ones go so many at a time: one look in that many items.
    func append(_ item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord, length: Int64) throws {
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
        for tag in item.tags {
            try insertTag.execute {
                $0.append(feed.id)
                $0.append(tag)
                $0.append(place.offset)
            }
        }
        if place.offset % max(1, min(256, length / 4)) == 0 {
            try trim.execute(arguments: [feed.id, place.offset - length])
            try trimTags.execute(arguments: [feed.id, place.offset - length])
        }
    }
}
