import Deliveries
import GRDB
import Inbox
import JSON
import Store

/// Writes changes of feed items: see ``Schema/feedChanges``.
final class FeedChangeTable: FeedChangeRows {
    private let find: Statement
    private let findID: Statement
    private let findTags: Statement
    private let findBefore: Statement
    private let insert: Statement
    private let write: Statement
    private let writeOther: Statement
    private let delete: Statement
    private let deleteTags: Statement

    init(_ db: Database) throws {
        let same = "WHERE feed = ? AND offset = ?"
        find = try db.statement(
            sql: "SELECT offset, published_at, json FROM feed_item WHERE feed = ? AND item_id = ?")
        findID = try db.statement(sql: "SELECT coalesce(item_id, '') FROM feed_item \(same)")
        findTags = try db.statement(sql: "SELECT tag FROM feed_tag \(same) ORDER BY tag")
        findBefore = try db.statement(
            sql: """
                SELECT offset, published_at, author, other, other_at FROM feed_item WHERE feed = ? AND offset < ?
                ORDER BY offset DESC LIMIT 1
                """)
        insert = try db.statement(
            sql: """
                INSERT INTO feed_change (feed, offset, published_at, target, is_removal, item_id, tags)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        write = try db.statement(sql: "UPDATE feed_item SET json = ? \(same)")
        writeOther = try db.statement(sql: "UPDATE feed_item SET other = ?, other_at = ? \(same)")
        delete = try db.statement(sql: "DELETE FROM feed_item \(same)")
        deleteTags = try db.statement(sql: "DELETE FROM feed_tag \(same)")
    }

    // MARK: Looking

    func item(_ id: String, in feed: FeedRecord) throws -> StoredItem? {
        try find.first([feed.id, id]) { row in
            guard let json = try row.bytes(2) else {
                throw DamagedRow(table: "feed_item", key: "\(feed.id), \(row.name)")
            }
            var row = CheckedRow(row)
            return StoredItem(place: FeedTip.Place(offset: row.count(0), time: row.time(1)), json: json)
        }
    }

    /// The id of the item at an offset, empty if it has none; nil without an item.
    func id(at offset: Int64, in feed: FeedRecord) throws -> String? {
        try findID.first([feed.id, offset]) { try $0.text(0) }
    }

    func tags(at offset: Int64, in feed: FeedRecord) throws -> [String] {
        try findTags.all([feed.id, offset]) { try $0.text(0) }
    }

    func item(
        before offset: Int64, in feed: FeedRecord
    ) throws -> (place: FeedTip.Place, author: String?, other: FeedTip.Place?)? {
        try findBefore.first([feed.id, offset]) { row in
            // As in the feed's own row, a value without sense counts as the nearest that has some.
            var row = CheckedRow(row)
            let place = FeedTip.Place(offset: row.count(0), time: row.time(1))
            let author = row.optionalText(2)
            let other = row.optionalCount(3).map { FeedTip.Place(offset: $0, time: row.time(4)) }
            return (place, author, other)
        }
    }

    // MARK: Writing

    /// - Parameter item: the item of the change, with its tags.
    func append(_ change: FeedChange, by item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) throws {
        let tags = JSONValue.array(item.tags.map(JSONValue.string)).encoded
        let isRemoval = if case .removes = change { true } else { false }
        try insert.execute(
            arguments: [
                feed.id, place.offset, place.time.milliseconds, change.target, isRemoval, item.id ?? "",
                String(decoding: tags, as: UTF8.self),
            ])
    }

    func write(_ json: [UInt8], at offset: Int64, of feed: FeedRecord) throws {
        try write.execute(arguments: [json, feed.id, offset])
    }

    func deleteTags(at offset: Int64, of feed: FeedRecord) throws {
        try deleteTags.execute(arguments: [feed.id, offset])
    }

    func delete(_ offset: Int64, from feed: FeedRecord) throws {
        try delete.execute(arguments: [feed.id, offset])
        try deleteTags(at: offset, of: feed)
    }

    func write(other: FeedTip.Place?, at offset: Int64, of feed: FeedRecord) throws {
        try writeOther.execute(arguments: [other?.offset, other?.time.milliseconds, feed.id, offset])
    }
}
