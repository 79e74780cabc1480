package import Inbox

/// Where an item that was published is.
package struct FeedReceipt: Sendable, Hashable {
    package let position: FeedPosition
    package let publishedAt: Timestamp
    /// False if the feed had an item of this id already, or says so already: that one is where this says, and nothing
    /// was changed.
    package let isNew: Bool
    /// Whether the item that the feed has is another one than that which was published with its id.
    package let differs: Bool
    /// What was changed; nil for an item that was published.
    package let change: FeedChange?

    package init(
        position: FeedPosition, publishedAt: Timestamp, isNew: Bool, differs: Bool = false, change: FeedChange? = nil
    ) {
        self.position = position
        self.publishedAt = publishedAt
        self.isNew = isNew
        self.differs = differs
        self.change = change
    }
}
