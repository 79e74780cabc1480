package import Inbox

/// Items of feeds that were replaced or removed.
package protocol FeedChangeRows: AnyObject {
    func item(_ id: String, in feed: FeedRecord) throws -> StoredItem?
    /// Empty for an item without one; nil without an item.
    func id(at offset: Int64, in feed: FeedRecord) throws -> String?
    func tags(at offset: Int64, in feed: FeedRecord) throws -> [String]
    /// The newest item before an offset, with the newest one before it by another author as it was then.
    func item(
        before offset: Int64, in feed: FeedRecord
    ) throws -> (place: FeedTip.Place, author: String?, other: FeedTip.Place?)?

    func append(_ change: FeedChange, by item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) throws
    func write(_ json: [UInt8], at offset: Int64, of feed: FeedRecord) throws
    func deleteTags(at offset: Int64, of feed: FeedRecord) throws
    /// Takes an item out, with its tags.
    func delete(_ offset: Int64, from feed: FeedRecord) throws
    /// Notes at the feed's newest item which item by another author is the newest.
    func write(other: FeedTip.Place?, at offset: Int64, of feed: FeedRecord) throws
}

extension FeedChangeRows {
    /// Takes an item out, and gives the feed the tip of the remaining items.
    package func remove(_ offset: Int64, from feed: inout FeedRecord) throws {
        try delete(offset, from: feed)
        if offset == feed.tip.newest?.offset {
            guard let newest = try item(before: offset, in: feed) else {
                feed.tip = FeedTip()
                return
            }
            feed.tip.rewind(to: newest.place, author: newest.author, other: newest.other)
        } else if offset != feed.tip.other?.offset {
            return
        }
        try findOther(of: &feed)
    }

    /// Finds the newest item by another author than the newest one's: the one that was known, or one before it.
    private func findOther(of feed: inout FeedRecord) throws {
        guard let newest = feed.tip.newest, let known = feed.tip.other else { return }
        var row = try item(before: known.offset + 1, in: feed)
        while let found = row, feed.tip.isByAuthor(found.author) {
            row = try item(before: found.place.offset, in: feed)
        }
        feed.tip.rewind(to: newest, author: feed.tip.author, other: row?.place)
        try write(other: row?.place, at: newest.offset, of: feed)
    }
}
