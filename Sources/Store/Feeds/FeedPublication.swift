package import Inbox

/// Items that are added to one feed together, all or none.
package struct FeedPublication: Sendable {
    package let feed: String
    package let items: [FeedItem]
    /// How many items the feed keeps.
    package let length: Int
    package let now: Timestamp

    package init(feed: String, items: [FeedItem], length: Int = FeedRule.defaultLength, now: Timestamp) {
        self.feed = feed
        self.items = items
        self.length = length
        self.now = now
    }
}
