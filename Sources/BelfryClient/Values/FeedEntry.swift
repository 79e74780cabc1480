/// A place in a feed: everything up to it is known.
///
/// Codable, for the app to keep. A value: it may go to any actor.
public struct FeedPosition: Sendable, Hashable, Codable {
    /// Of the feed: another one after a restore.
    public var epoch: String
    /// Of the newest entry that is known, from 1 on; 0 before the first.
    public var offset: Int64

    /// - Parameters:
    ///   - epoch: as an entry told it.
    ///   - offset: as the same entry told it.
    public init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }
}

/// Where a subscription to a feed begins.
public enum FeedStart: Sendable, Hashable {
    /// With the next item that comes.
    case next
    /// With the newest 500.
    case newest
    /// Behind a place that an earlier entry told.
    case after(FeedPosition)
}

/// What a feed tells, in the order of its offsets, each once.
///
/// A value: it may go to any actor.
public enum FeedEntry: Sendable, Hashable {
    /// A new item. Keep the position to go on there another time.
    case item(JSONValue, at: FeedPosition)
    /// The item at the offset `replaces` says this now. Pass it over if you do not have that one.
    case replaced(JSONValue, replaces: Int64, at: FeedPosition)
    /// The item at the offset `removes`, whose id is `id`, is gone.
    case removed(id: String?, removes: Int64, at: FeedPosition)
    /// The place is not known any more, or more than 500 items were missed: forget what you have, the newest 500
    /// follow.
    case reset(epoch: String)
}
