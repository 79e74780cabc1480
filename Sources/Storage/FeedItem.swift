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
