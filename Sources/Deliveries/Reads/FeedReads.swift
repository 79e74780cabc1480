package import Inbox
package import Store

/// Reads feeds, their items and viewers.
package protocol FeedReads: FeedCounts {
    /// Nil for a feed that has had no item.
    func record(named name: String) throws -> FeedRecord?
    /// The position of a feed that has had no item: its first item will have the same epoch.
    func beginning(of name: String) throws -> FeedPosition

    /// The offsets of items above `low` and up to `high` that have one of the tags, in order.
    /// - Parameter tags: empty for all items.
    func offsets(
        of feed: FeedRecord, above low: Int64, upTo high: Int64, tags: [String], limit: Int, isNewestFirst: Bool
    ) throws -> [Int64]
    /// Nil for an item that is gone or damaged, or not JSON.
    func item(at offset: Int64, of feed: FeedRecord) throws -> (time: Timestamp, json: [UInt8])?
    /// The last changes, made behind an offset, of items up to it: a change of an item that was changed again is left
    /// out. In any order.
    func changes(of feed: FeedRecord, after offset: Int64) throws -> [ToldFeedChange]
    /// The offset of the last kept item that was published by `time`; nil without one.
    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64?
    /// The offset of the last change made by `time`; nil without one.
    func lastChange(upTo time: Timestamp, in feed: FeedRecord) throws -> Int64?

    /// Nil for an unknown person.
    func viewer(_ viewer: FeedViewer) throws -> (inbox: Int64, names: [String])?
    func isMember(inbox: Int64, of topic: String) throws -> Bool
    /// How far a person has viewed a feed; 0 if not at all.
    func viewed(_ feed: FeedRecord, inbox: Int64) throws -> Int64
}
