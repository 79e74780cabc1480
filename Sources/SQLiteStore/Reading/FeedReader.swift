import Deliveries
import GRDB
import Inbox
import JSON
import Store

/// Reads feeds, all as of the snapshot that `db` is in.
struct FeedReader {
    let db: Database
    let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    func record(named name: String) throws -> FeedRecord? {
        try db.cachedStatement(sql: FeedRecord.query).first([name], FeedRecord.init)
    }

    func holds(_ pass: FeedPass) throws -> Bool {
        switch pass {
        case .open: true
        case .member(let user, let topic): try isMember(user, of: topic)
        }
    }

    // MARK: Items

    func page(of name: String, _ query: FeedQuery) throws -> FeedPage {
        guard let feed = try record(named: name) else { return try emptyPage(of: name, query) }
        let head = feed.position.offset
        switch query.start {
        case .head: return FeedPage(items: [], head: feed.position, end: head, hasOlder: false, isRecovered: true)
        case .newest: return try newest(0, head, query, of: feed)
        case .before(_, let epoch?) where epoch != feed.epoch:
            return try newest(0, head, query, of: feed, isRecovered: false)
        case .before(let offset, _): return try newest(0, min(max(0, offset - 1), head), query, of: feed)
        case .after(let place) where try isKnown(place, in: feed):
            return try oldest(after: place.offset, query, of: feed)
        case .newestAfter(let place) where try isKnown(place, in: feed):
            return try newest(place.offset, head, query, of: feed)
        case .after, .newestAfter: return try newest(0, head, query, of: feed, isRecovered: false)
        case .afterTime(let time):
            let places = [try lastOffset(upTo: time, in: feed), try lastChange(upTo: time, in: feed)]
            return try oldest(after: places.compactMap(\.self).max() ?? 0, query, of: feed)
        }
    }

    /// The page of a feed that has had no item: only its beginning is a known place.
    private func emptyPage(of name: String, _ query: FeedQuery) throws -> FeedPage {
        let start = try beginning(of: name)
        let isRecovered =
            switch query.start {
            case .after(let place), .newestAfter(let place): place == start
            case .before(_, let epoch): (epoch ?? start.epoch) == start.epoch
            case .head, .newest, .afterTime: true
            }
        return FeedPage(items: [], head: start, end: 0, hasOlder: false, isRecovered: isRecovered)
    }

    /// The position of a feed that has had no item: its first item will have the same epoch.
    func beginning(of name: String) throws -> FeedPosition {
        FeedPosition(epoch: try firstEpoch(of: name), offset: 0)
    }

    /// The epoch of a feed that begins: the store's epoch, and a part of the feed's own.
    func firstEpoch(of name: String) throws -> String {
        guard let epoch = try db.cachedStatement(sql: "SELECT epoch FROM store_epoch").first([], { try $0.text(0) })
        else { throw DamagedRow(table: "store_epoch") }
        return epoch + String(ListMark.of(name), radix: 36)
    }

    /// Whether the feed still has everything behind the place.
    private func isKnown(_ place: FeedPosition, in feed: FeedRecord) throws -> Bool {
        guard place.epoch == feed.epoch else { return false }
        return (feed.trimmed...feed.position.offset).contains(place.offset)
    }

    private func oldest(after offset: Int64, _ query: FeedQuery, of feed: FeedRecord) throws -> FeedPage {
        let head = feed.position
        let places = try offsets(of: feed, offset, head.offset, query, isNewestFirst: false)
        let changes = try changes(of: feed, after: offset, query, limit: query.limit + 1, isNewestFirst: false)
        let found = (places.map { Entry.item($0) } + changes.map(Entry.change)).sorted { $0.offset < $1.offset }
        let (items, rest) = try items(found, of: feed, query)
        // The last entry that was looked at, damaged ones included.
        let end = rest.map { rest in found.last { $0.offset < rest.offset }?.offset ?? offset } ?? head.offset
        return FeedPage(items: items, head: head, end: end, hasOlder: false, isRecovered: true)
    }

    private func newest(
        _ low: Int64, _ high: Int64, _ query: FeedQuery, of feed: FeedRecord, isRecovered: Bool = true
    ) throws -> FeedPage {
        let places = try offsets(of: feed, low, high, query, isNewestFirst: true)
        let changes =
            if case .newestAfter = query.start, isRecovered {
                try changes(of: feed, after: low, query, limit: query.limit + 1, isNewestFirst: true)
            } else {
                [Change]()
            }
        let found = places.map { Entry.item($0) } + changes.map(Entry.change)
        let (items, rest) = try items(found.sorted { $0.offset > $1.offset }, of: feed, query)
        return FeedPage(
            items: items.reversed(), head: feed.position, end: high, hasOlder: rest != nil, isRecovered: isRecovered)
    }

    /// The offsets of matching items above `low` and up to `high`: as many as the limit, and one more to tell whether
    /// more follow.
    private func offsets(
        of feed: FeedRecord, _ low: Int64, _ high: Int64, _ query: FeedQuery, isNewestFirst: Bool
    ) throws -> [Int64] {
        let order = isNewestFirst ? "DESC" : "ASC"
        let count = query.limit + 1
        guard !query.tags.isEmpty else {
            let statement = try db.cachedStatement(
                sql: """
                    SELECT offset FROM feed_item WHERE feed = ? AND offset > ? AND offset <= ?
                    ORDER BY offset \(order) LIMIT ?
                    """)
            return try statement.all([feed.id, low, high, count]) { try $0.int(0) }
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT offset FROM feed_tag WHERE feed = ? AND tag = ? AND offset > ? AND offset <= ?
                ORDER BY offset \(order) LIMIT ?
                """)
        // The first ones of each tag include the first ones of all.
        var found: Set<Int64> = []
        for tag in query.tags {
            found.formUnion(try statement.all([feed.id, tag, low, high, count]) { try $0.int(0) })
        }
        return Array(found.sorted(by: isNewestFirst ? { $0 > $1 } : { $0 < $1 }).prefix(count))
    }

    /// The first entries, as many as the query admits, without damaged ones; and the first one behind them, if any.
    private func items(
        _ entries: [Entry], of feed: FeedRecord, _ query: FeedQuery
    ) throws -> (items: [FeedPage.Item], rest: Entry?) {
        var items: [FeedPage.Item] = []
        var bytes = 0
        for (place, entry) in entries.enumerated() {
            if place == query.limit { return (items, entry) }
            guard let item = try item(entry, of: feed) else { continue }
            bytes += item.json.count
            if bytes > query.maximumBytes, !items.isEmpty { return (items, entry) }
            items.append(item)
        }
        return (items, nil)
    }

    /// Nil for a damaged entry.
    private func item(_ entry: Entry, of feed: FeedRecord) throws -> FeedPage.Item? {
        switch entry {
        case .item(let offset):
            return try row(at: offset, of: feed).map {
                FeedPage.Item(offset: offset, publishedAt: $0.time, json: $0.json)
            }
        case .change(let change):
            let json: [UInt8]? =
                if case .replaces(let target) = change.change { try row(at: target, of: feed)?.json } else {
                    Array("null".utf8)
                }
            return json.map {
                FeedPage.Item(
                    offset: change.offset, publishedAt: change.time, json: $0, change: change.change, id: change.id)
            }
        }
    }

    /// Nil for a damaged row.
    private func row(at offset: Int64, of feed: FeedRecord) throws -> (time: Timestamp, json: [UInt8])? {
        let statement = try db.cachedStatement(
            sql: "SELECT published_at, json FROM feed_item WHERE feed = ? AND offset = ?")
        let found =
            try statement.first([feed.id, offset]) { row in
                var row = CheckedRow(row)
                let (time, json) = (row.time(0), row.optionalBytes(1) ?? [])
                return row.isDamaged || !Self.isJSON(json) ? nil : (time: time, json: json)
            } ?? nil
        if found == nil { damage.leaveOut(DamagedRow(table: "feed_item", key: "\(feed.id), \(offset)")) }
        return found
    }

    /// Whether it is valid JSON, as frames and answers send it unchanged.
    private static func isJSON(_ json: [UInt8]) -> Bool {
        json.withUnsafeBytes { (try? JSONNode(parsing: $0)) != nil }  // any mistake is damage
    }

    /// The offset of the last kept item that was published by `time`; nil without one.
    ///
    /// Times rise with offsets, so this is a binary search. An index on times would cost a page more to write for each
    /// item.
    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64? {
        guard let oldest = try oldestOffset(of: feed) else { return nil }
        // Removed items leave gaps.
        let statement = try db.cachedStatement(
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
        let statement = try db.cachedStatement(sql: "SELECT min(offset) FROM feed_item WHERE feed = ?")
        return try statement.first([feed.id]) { try $0.optionalInt(0) } ?? nil
    }
}
