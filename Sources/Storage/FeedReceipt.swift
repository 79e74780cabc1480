package import Inbox

/// Where an item that was published is.
package struct FeedReceipt: Sendable, Hashable {
    package let position: FeedPosition
    package let publishedAt: Timestamp
    /// False if the feed had an item of this id already: that one is where this says, and nothing was changed.
    package let isNew: Bool

    package init(position: FeedPosition, publishedAt: Timestamp, isNew: Bool) {
        self.position = position
        self.publishedAt = publishedAt
        self.isNew = isNew
    }
}
