package import Inbox

/// One item for a feed.
package struct FeedItem: Sendable, Hashable {
    package let feed: String
    /// The item as compact JSON, passed on as it is.
    package let json: [UInt8]
    package let publishedAt: Timestamp

    package init(feed: String, json: [UInt8], publishedAt: Timestamp) {
        self.feed = feed
        self.json = json
        self.publishedAt = publishedAt
    }
}

/// A place in a feed: offsets count from 1 within an epoch. A client that does not know the epoch names an empty one,
/// which stands for the feed's own.
package struct FeedPosition: Sendable, Hashable {
    package let epoch: String
    package let offset: Int64

    package init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }
}

/// Items of a feed in the order of their offsets, read as of one moment.
package struct FeedPage: Sendable {
    package let items: [(offset: Int64, json: [UInt8])]
    /// The feed's newest position; an empty epoch and offset 0 for a feed that has had no item yet.
    package let head: FeedPosition
    /// Whether the items are all that came after the place that was asked for; if not, they are the newest ones.
    package let isComplete: Bool

    package init(items: [(offset: Int64, json: [UInt8])], head: FeedPosition, isComplete: Bool) {
        self.items = items
        self.head = head
        self.isComplete = isComplete
    }
}

/// Where an appended item went.
package typealias AppendedItem = FeedPosition
