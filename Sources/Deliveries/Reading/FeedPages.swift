import Inbox
package import Store

/// The pages of feeds, as of one moment.
package struct FeedPages {
    let reads: any FeedReads

    /// An entry of a page.
    private enum Entry {
        case item(Int64)
        case change(ToldFeedChange)

        var offset: Int64 {
            switch self {
            case .item(let offset): offset
            case .change(let change): change.offset
            }
        }
    }

    package func page(of name: String, _ query: FeedQuery) throws -> FeedPage {
        guard let feed = try reads.record(named: name) else { return try emptyPage(of: name, query) }
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
            let places = [try reads.lastOffset(upTo: time, in: feed), try reads.lastChange(upTo: time, in: feed)]
            return try oldest(after: places.compactMap(\.self).max() ?? 0, query, of: feed)
        }
    }

    /// The page of a feed that has had no item: only its beginning is a known place.
    private func emptyPage(of name: String, _ query: FeedQuery) throws -> FeedPage {
        let start = try reads.beginning(of: name)
        let isRecovered =
            switch query.start {
            case .after(let place), .newestAfter(let place): place == start
            case .before(_, let epoch): (epoch ?? start.epoch) == start.epoch
            case .head, .newest, .afterTime: true
            }
        return FeedPage(items: [], head: start, end: 0, hasOlder: false, isRecovered: isRecovered)
    }

    /// Whether the feed still has everything behind the place.
    private func isKnown(_ place: FeedPosition, in feed: FeedRecord) throws -> Bool {
        guard place.epoch == feed.epoch else { return false }
        return (feed.trimmed...feed.position.offset).contains(place.offset)
    }

    private func oldest(after offset: Int64, _ query: FeedQuery, of feed: FeedRecord) throws -> FeedPage {
        let head = feed.position
        let places = try offsets(of: feed, offset, head.offset, query, isNewestFirst: false)
        let changes = try changes(of: feed, after: offset, query, isNewestFirst: false)
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
                try changes(of: feed, after: low, query, isNewestFirst: true)
            } else {
                [ToldFeedChange]()
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
        try reads.offsets(
            of: feed, above: low, upTo: high, tags: query.tags, limit: query.limit + 1, isNewestFirst: isNewestFirst)
    }

    /// The changes, made behind an offset, of items up to it. Items behind it are told in their current state, or not
    /// at all. As many as the limit, and one more.
    private func changes(
        of feed: FeedRecord, after offset: Int64, _ query: FeedQuery, isNewestFirst: Bool
    ) throws -> [ToldFeedChange] {
        guard query.tellsChanges, let newest = feed.change, newest.offset > offset else { return [] }
        let wanted = Set(query.tags.map { ExactText($0) })
        let told = try reads.changes(of: feed, after: offset)
            .filter { wanted.isEmpty || $0.tags.contains { wanted.contains(ExactText($0)) } }
            .sorted { isNewestFirst ? $0.offset > $1.offset : $0.offset < $1.offset }
        return Array(told.prefix(query.limit + 1))
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
            return try reads.item(at: offset, of: feed).map {
                FeedPage.Item(offset: offset, publishedAt: $0.time, json: $0.json)
            }
        case .change(let change):
            let json: [UInt8]? =
                if case .replaces(let target) = change.change { try reads.item(at: target, of: feed)?.json } else {
                    Array("null".utf8)
                }
            return json.map {
                FeedPage.Item(
                    offset: change.offset, publishedAt: change.time, json: $0, change: change.change, id: change.id)
            }
        }
    }
}
