/// A place in a feed: all entries up to it are known.
///
/// Codable, for the app to keep. A value: it may go to any actor.
public struct FeedPosition: Sendable, Hashable, Codable {
    /// The feed's epoch; it changes after a restore.
    public var epoch: String
    /// The offset of the newest known entry, from 1; 0 before the first.
    public var offset: Int64

    /// - Parameters:
    ///   - epoch: the epoch of an entry.
    ///   - offset: the offset of the same entry.
    public init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }
}

/// The place where a subscription to a feed begins.
public enum FeedStart: Sendable, Hashable {
    /// At the next new item.
    case next
    /// With the newest 500 items.
    case newest
    /// Behind the position of an earlier entry.
    case after(FeedPosition)
}

/// An entry of a feed. Entries come in the order of their offsets, each once.
///
/// A value: it may go to any actor.
public enum FeedEntry: Sendable, Hashable {
    /// A new item. Keep the position to continue there later.
    case item(JSONValue, at: FeedPosition)
    /// The item at the offset `replaces` has this new content. Ignore it if you do not have that item.
    case replaced(JSONValue, replaces: Int64, at: FeedPosition)
    /// The item at the offset `removes`, with the id `id`, was removed.
    case removed(id: String?, removes: Int64, at: FeedPosition)
    /// The position is unknown now, or more than 500 items were missed. Drop your items; the newest 500 follow.
    case reset(epoch: String)
}
