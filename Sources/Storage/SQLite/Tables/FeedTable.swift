import Foundation
import GRDB
import Inbox

/// One row of `feed`.
struct FeedRecord: Sendable {
    let id: Int64
    let epoch: String
    /// The offset of the newest item.
    var head: Int64

    var position: FeedPosition { FeedPosition(epoch: epoch, offset: head) }
}

/// Writes feeds, and keeps them short.
struct FeedTable {
    private let create: Statement
    private let advance: Statement
    private let insert: Statement
    private let trim: Statement
    private let length: Int64
    /// Old items go so many at a time: one look in that many items.
    private let trimInterval: Int64

    init(_ db: Database, length: Int64) throws {
        create = try db.cachedStatement(
            sql: "INSERT INTO feed (name, epoch, head) VALUES (?, ?, 0) RETURNING id")
        advance = try db.cachedStatement(sql: "UPDATE feed SET head = ? WHERE id = ?")
        insert = try db.cachedStatement(
            sql: "INSERT INTO feed_item (feed, offset, published_at, json) VALUES (?, ?, ?, ?)")
        trim = try db.cachedStatement(sql: "DELETE FROM feed_item WHERE feed = ? AND offset <= ?")
        self.length = length
        trimInterval = max(1, min(256, length / 4))
    }

    func create(_ name: String, epoch: String) throws -> FeedRecord {
        guard let id = try create.first([name, epoch], { try $0.int(0) }) else { throw DamagedRow(table: "feed") }
        return FeedRecord(id: id, epoch: epoch, head: 0)
    }

    /// Writes the item at the record's head.
    func append(_ item: FeedItem, to record: FeedRecord) throws {
        try insert.execute(
            arguments: [record.id, record.head, item.publishedAt.milliseconds, Data(item.json)])
        try advance.execute(arguments: [record.head, record.id])
        if record.head % trimInterval == 0 { try trim.execute(arguments: [record.id, record.head - length]) }
    }
}
