import GRDB

/// Reads feeds, all as of the snapshot that `db` is in.
struct FeedReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    func record(named name: String) throws -> FeedRecord? {
        let statement = try db.cachedStatement(sql: "SELECT id, epoch, head FROM feed WHERE name = ?")
        return try statement.first([name]) { row in
            FeedRecord(id: try row.int(0), epoch: try row.text(1), head: try row.int(2))
        }
    }

    /// The items after `position`, or the newest ones if those cannot all be told.
    func page(of name: String, after position: FeedPosition?, limit: Int) throws -> FeedPage {
        let start = FeedPosition(epoch: "", offset: 0)
        guard let feed = try record(named: name) else {
            return FeedPage(items: [], head: start, isComplete: position == nil || position == start)
        }
        guard let position else { return FeedPage(items: [], head: feed.position, isComplete: true) }
        if position.epoch == feed.epoch || position.epoch.isEmpty, position.offset <= feed.head,
            feed.head - position.offset <= Int64(limit)
        {
            let items = try items(of: feed, after: position.offset)
            if items.count == feed.head - position.offset {
                return FeedPage(items: items, head: feed.position, isComplete: true)
            }
        }
        let newest = try items(of: feed, after: feed.head - Int64(limit))
        return FeedPage(items: newest, head: feed.position, isComplete: false)
    }

    private func items(of feed: FeedRecord, after offset: Int64) throws -> [(offset: Int64, json: [UInt8])] {
        let statement = try db.cachedStatement(
            sql: "SELECT offset, json FROM feed_item WHERE feed = ? AND offset > ? ORDER BY offset")
        return try statement.all([feed.id, offset]) { row in
            guard let json = try row.bytes(1) else { throw DamagedRow(table: "feed_item") }
            return (offset: try row.int(0), json: json)
        }
    }
}
