import Foundation
import GRDB
import Inbox

/// One row of `feed`.
struct FeedRecord: Sendable {
    let id: Int64
    let epoch: String
    var tip: FeedTip

    var position: FeedPosition { FeedPosition(epoch: epoch, offset: tip.newest?.offset ?? 0) }

    /// Finds the feed whose name is the query's argument.
    static let query =
        "SELECT id, epoch, head, newest_at, author, other, other_at FROM feed WHERE name = ?"

    init(id: Int64, epoch: String) { (self.id, self.epoch, tip) = (id, epoch, FeedTip()) }

    /// - Parameter row: of the ``query``.
    init(_ row: StoredRow) throws {
        id = try row.int(0)
        epoch = try row.text(1)
        let head = try row.int(2)
        tip = FeedTip(
            newest: head == 0 ? nil : .init(offset: head, time: Timestamp(milliseconds: try row.int(3))),
            author: try row.optionalText(4),
            other: try row.optionalInt(5).map {
                .init(offset: $0, time: Timestamp(milliseconds: try row.int(6)))
            })
    }
}

/// Writes feeds, and keeps them short.
struct FeedTable {
    private let create: Statement
    private let update: Statement
    private let find: Statement
    private let insert: Statement
    private let insertTag: Statement
    private let trim: Statement
    private let trimTags: Statement
    private let lastUpTo: Statement

    init(_ db: Database) throws {
        create = try db.cachedStatement(
            sql: "INSERT INTO feed (name, epoch, head) VALUES (?, ?, 0) RETURNING id")
        update = try db.cachedStatement(
            sql: "UPDATE feed SET head = ?, newest_at = ?, author = ?, other = ?, other_at = ? WHERE id = ?")
        find = try db.cachedStatement(
            sql: "SELECT offset, published_at FROM feed_item WHERE feed = ? AND item_id = ?")
        insert = try db.cachedStatement(
            sql: "INSERT INTO feed_item (feed, offset, published_at, json, item_id) VALUES (?, ?, ?, ?, ?)")
        insertTag = try db.cachedStatement(sql: "INSERT INTO feed_tag (feed, tag, offset) VALUES (?, ?, ?)")
        trim = try db.cachedStatement(sql: "DELETE FROM feed_item WHERE feed = ? AND offset <= ?")
        trimTags = try db.cachedStatement(sql: "DELETE FROM feed_tag WHERE feed = ? AND offset <= ?")
        lastUpTo = try db.cachedStatement(
            sql: """
                SELECT offset FROM feed_item WHERE feed = ? AND published_at <= ? ORDER BY published_at DESC LIMIT 1
                """)
    }

    func create(_ name: String, epoch: String) throws -> FeedRecord {
        guard let id = try create.first([name, epoch], { try $0.int(0) }) else { throw DamagedRow(table: "feed") }
        return FeedRecord(id: id, epoch: epoch)
    }

    /// Where the item of this id is, while the feed keeps it.
    func place(ofItem id: String, in feed: FeedRecord) throws -> FeedTip.Place? {
        try find.first([feed.id, id]) { row in
            FeedTip.Place(offset: try row.int(0), time: Timestamp(milliseconds: try row.int(1)))
        }
    }

    /// The offset of the last item that was published by then; 0 without one.
    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64 {
        try lastUpTo.first([feed.id, time.milliseconds]) { try $0.int(0) } ?? 0
    }

    /// Writes an item.
    ///
    /// - Parameter length: how many items the feed keeps. Old ones go so many at a time: one look in that many items.
    func append(_ item: FeedItem, at offset: Int64, to feed: FeedRecord, length: Int64) throws {
        try insert.execute(
            arguments: [feed.id, offset, item.publishedAt.milliseconds, Data(item.json), item.id])
        for tag in item.tags { try insertTag.execute(arguments: [feed.id, tag, offset]) }
        if offset % max(1, min(256, length / 4)) == 0 {
            try trim.execute(arguments: [feed.id, offset - length])
            try trimTags.execute(arguments: [feed.id, offset - length])
        }
    }

    func write(_ feed: FeedRecord) throws {
        let tip = feed.tip
        try update.execute(
            arguments: [
                tip.newest?.offset ?? 0, tip.newest?.time.milliseconds ?? 0, tip.author, tip.other?.offset,
                tip.other?.time.milliseconds, feed.id,
            ])
    }
}
