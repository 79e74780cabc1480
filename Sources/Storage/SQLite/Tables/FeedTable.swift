import GRDB
import Inbox

/// One row of `feed`, and what the row of its newest item tells.
struct FeedRecord: Sendable {
    let id: Int64
    let epoch: String
    /// Of items.
    var tip: FeedTip
    /// The newest change of an item; nil without any.
    var change: FeedTip.Place?
    /// Up to here all may be gone.
    var trimmed: Int64

    /// The newest item or change.
    var newest: FeedTip.Place? {
        guard let change, change.offset > tip.newest?.offset ?? 0 else { return tip.newest }
        return change
    }

    var position: FeedPosition { FeedPosition(epoch: epoch, offset: newest?.offset ?? 0) }

    /// Where the next item or change stands.
    func next(at now: Timestamp) -> FeedTip.Place {
        FeedTip.Place(offset: position.offset + 1, time: FeedTip(newest: newest).nextStamp(at: now))
    }

    /// Finds the feed whose name is the query's argument. An item's row has the tip as of that item, so appending one
    /// writes one row. That of the newest item is put right when another one goes.
    static let query = """
        SELECT feed.id, epoch, item.offset, item.published_at, author, other, other_at, changed.offset,
            changed.published_at, trimmed
        FROM feed
        LEFT JOIN feed_item AS item ON item.feed = feed.id
            AND item.offset = (SELECT max(offset) FROM feed_item WHERE feed = feed.id)
        LEFT JOIN feed_change AS changed ON changed.feed = feed.id
            AND changed.offset = (SELECT max(offset) FROM feed_change WHERE feed = feed.id)
        WHERE name = ?
        """

    init(id: Int64, epoch: String) { (self.id, self.epoch, tip, trimmed) = (id, epoch, FeedTip(), 0) }

    /// - Parameter row: of the ``query``.
    ///   What makes no sense there counts as the nearest that does: stamps and offsets only ever rise.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        func place(_ column: Int) -> FeedTip.Place? {
            guard let offset = row.optionalCount(column) else { return nil }
            return FeedTip.Place(offset: offset, time: row.time(column + 1))
        }
        id = row.count(0)
        epoch = row.text(1)
        tip = FeedTip(newest: place(2), author: row.optionalText(4), other: place(5))
        change = place(7)
        trimmed = min(row.count(9), max(tip.newest?.offset ?? 0, change?.offset ?? 0))
    }
}

/// Writes feeds, and keeps them short.
final class FeedTable {
    private let create: Statement
    private let find: DirectStatement
    private let insert: DirectStatement
    private let insertTag: DirectStatement
    private let lastToGo: Statement
    private let trimItems: [Statement]
    private let trimChanges: Statement
    private let writeTrimmed: Statement

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
        lastToGo = try db.cachedStatement(
            sql: "SELECT offset FROM feed_item WHERE feed = ? ORDER BY offset DESC LIMIT 1 OFFSET ?")
        let trims = try ["feed_item", "feed_tag", "feed_change"].map { table in
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE feed = ? AND offset <= ?")
        }
        (trimItems, trimChanges) = (Array(trims[..<2]), trims[2])
        writeTrimmed = try db.cachedStatement(sql: "UPDATE feed SET trimmed = ? WHERE id = ?")
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
    /// - Parameter place: where it is, which the feed's tip knows already.
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

    /// Lets old items go, so many at a time: one look in that many items and changes.
    ///
    /// - Parameters:
    ///   - feed: right behind its newest item or change.
    ///   - length: how many items the feed keeps, and how many of its last offsets are known as places.
    func trim(_ feed: inout FeedRecord, length: Int64) throws {
        let head = feed.position.offset
        guard head % max(1, min(256, length / 4)) == 0, head - length > feed.trimmed else { return }
        feed.trimmed = head - length
        // Without changes each of the last offsets is an item's. With them fewer are, and those before are kept as well.
        let last =
            if feed.change == nil {
                feed.trimmed
            } else {
                try lastToGo.first([feed.id, length], { try $0.int(0) }) ?? 0
            }
        for trim in trimItems { try trim.execute(arguments: [feed.id, last]) }
        try trimChanges.execute(arguments: [feed.id, feed.trimmed])
        try writeTrimmed.execute(arguments: [feed.trimmed, feed.id])
    }
}
