package import Inbox

/// Items of a feed in the order of their offsets, read as of one moment.
package struct FeedPage: Sendable {
    package struct Item: Sendable, Hashable {
        package let offset: Int64
        package let publishedAt: Timestamp
        package let json: [UInt8]
        /// What has become of an item before the place that was asked for; nil for an item.
        package let change: FeedChange?
        /// Of an item that is gone.
        package let id: String?

        package init(
            offset: Int64, publishedAt: Timestamp, json: [UInt8], change: FeedChange? = nil, id: String? = nil
        ) {
            self.offset = offset
            self.publishedAt = publishedAt
            self.json = json
            self.change = change
            self.id = id
        }
    }

    /// Behind a place, also what has become since of items up to it.
    package let items: [Item]
    /// The feed's newest position; the offset is 0 for a feed that has had no item yet.
    package let head: FeedPosition
    /// The place behind the last item that was looked at: who goes on after it misses nothing and gets nothing twice.
    package let end: Int64
    /// Whether matching items that are kept stand before the page, within what was asked for.
    package let hasOlder: Bool
    /// Whether the place that was asked for is known: if not, items after it may be gone, and these are the newest.
    package let isRecovered: Bool

    package init(items: [Item], head: FeedPosition, end: Int64, hasOlder: Bool, isRecovered: Bool) {
        self.items = items
        self.head = head
        self.end = end
        self.hasOlder = hasOlder
        self.isRecovered = isRecovered
    }

    /// Whether nothing that matches stands behind the page.
    package var isComplete: Bool { end == head.offset }
}
