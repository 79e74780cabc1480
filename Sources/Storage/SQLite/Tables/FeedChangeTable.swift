import Foundation
import GRDB
import Inbox
import JSON

/// Writes what becomes of items that a feed has: see ``Schema/feedChanges``.
final class FeedChangeTable {
    /// An item as it stands in its feed.
    struct Known {
        let place: FeedTip.Place
        let json: [UInt8]
    }

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
        find = try db.cachedStatement(
            sql: "SELECT offset, published_at, json FROM feed_item WHERE feed = ? AND item_id = ?")
        findID = try db.cachedStatement(sql: "SELECT coalesce(item_id, '') FROM feed_item \(same)")
        findTags = try db.cachedStatement(sql: "SELECT tag FROM feed_tag \(same) ORDER BY tag")
        findBefore = try db.cachedStatement(
            sql: """
                SELECT offset, published_at, author, other, other_at FROM feed_item WHERE feed = ? AND offset < ?
                ORDER BY offset DESC LIMIT 1
                """)
        insert = try db.cachedStatement(
            sql: """
                INSERT INTO feed_change (feed, offset, published_at, target, is_removal, item_id, tags)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        write = try db.cachedStatement(sql: "UPDATE feed_item SET json = ? \(same)")
        writeOther = try db.cachedStatement(sql: "UPDATE feed_item SET other = ?, other_at = ? \(same)")
        delete = try db.cachedStatement(sql: "DELETE FROM feed_item \(same)")
        deleteTags = try db.cachedStatement(sql: "DELETE FROM feed_tag \(same)")
    }

    // MARK: Looking

    func item(_ id: String, in feed: FeedRecord) throws -> Known? {
        try find.first([feed.id, id]) { row in
            guard let json = try row.bytes(2) else { throw DamagedRow(table: "feed_item") }
            return Known(
                place: FeedTip.Place(offset: try row.int(0), time: Timestamp(milliseconds: try row.int(1))), json: json)
        }
    }

    /// Of the item that stands there, empty if it has none; nil without an item.
    func id(at offset: Int64, in feed: FeedRecord) throws -> String? {
        try findID.first([feed.id, offset]) { try $0.text(0) }
    }

    func tags(at offset: Int64, in feed: FeedRecord) throws -> [String] {
        try findTags.all([feed.id, offset]) { try $0.text(0) }
    }

    // MARK: Writing

    /// - Parameter item: its ``FeedItem/change`` says what it is.
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
        try write.execute(arguments: [Data(json), feed.id, offset])
    }

    func deleteTags(at offset: Int64, of feed: FeedRecord) throws {
        try deleteTags.execute(arguments: [feed.id, offset])
    }

    /// Takes an item out, and puts right what the feed knows of its newest ones.
    func remove(_ offset: Int64, from feed: inout FeedRecord) throws {
        try delete.execute(arguments: [feed.id, offset])
        try deleteTags(at: offset, of: feed)
        if offset == feed.tip.newest?.offset {
            guard let newest = try row(before: offset, in: feed) else {
                feed.tip = FeedTip()
                return
            }
            feed.tip.rewind(to: newest.place, author: newest.author, other: newest.other)
        } else if offset != feed.tip.other?.offset {
            return
        }
        try findOther(of: &feed)
    }

    /// The newest item by somebody else than the newest one's author: what the row has of it, or what is before that.
    private func findOther(of feed: inout FeedRecord) throws {
        guard let newest = feed.tip.newest, let known = feed.tip.other else { return }
        var row = try row(before: known.offset + 1, in: feed)
        while let found = row, feed.tip.isByAuthor(found.author) {
            row = try self.row(before: found.place.offset, in: feed)
        }
        feed.tip.rewind(to: newest, author: feed.tip.author, other: row?.place)
        try writeOther.execute(
            arguments: [row?.place.offset, row?.place.time.milliseconds, feed.id, newest.offset])
    }

    private func row(
        before offset: Int64, in feed: FeedRecord
    ) throws -> (place: FeedTip.Place, author: String?, other: FeedTip.Place?)? {
        try findBefore.first([feed.id, offset]) { row in
            (
                place: FeedTip.Place(offset: try row.int(0), time: Timestamp(milliseconds: try row.int(1))),
                author: try row.optionalText(2),
                other: try row.optionalInt(3).map {
                    FeedTip.Place(offset: $0, time: Timestamp(milliseconds: try row.int(4)))
                }
            )
        }
    }
}
