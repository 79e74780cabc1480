package import Inbox
package import Store

/// Feeds and their items.
package protocol FeedRows: FeedCounts, AnyObject {
    /// Nil for a feed that has had no item.
    func record(named name: String) throws -> FeedRecord?
    /// The epoch of a feed that begins.
    func firstEpoch(of name: String) throws -> String
    /// The position of a feed that has had no item: its first item will have the same epoch.
    func beginning(of name: String) throws -> FeedPosition
    /// The newest item that is not younger than `time`; nil without any.
    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64?
    /// The newest item behind so many newer ones; nil if there are no more than these.
    func lastOffset(behind count: Int64, in feed: FeedRecord) throws -> Int64?

    func create(_ name: String, epoch: String) throws -> FeedRecord
    func append(_ item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) throws
    func insert(tags: [String], offset: Int64, of feed: FeedRecord) throws
    /// Lets the oldest items and changes go, and notes how far changes are gone.
    func drop(itemsUpTo item: Int64, changesUpTo change: Int64, of feed: FeedRecord) throws
}

extension FeedRows {
    /// Lets the oldest items and changes go, many at a time: at one in so many items and changes.
    ///
    /// - Parameters:
    ///   - feed: its state right after its newest item or change.
    ///   - length: how many items the feed keeps, and the changes of how many last offsets.
    package func trim(_ feed: inout FeedRecord, length: Int64) throws {
        let head = feed.position.offset
        guard head % max(1, min(256, length / 4)) == 0, head - length > feed.trimmed else { return }
        feed.trimmed = head - length
        // Without changes, each of the last offsets is an item's. With changes fewer are, so earlier items stay, too.
        let last = try feed.change == nil ? feed.trimmed : lastOffset(behind: length, in: feed) ?? 0
        try drop(itemsUpTo: last, changesUpTo: feed.trimmed, of: feed)
    }
}
