package import Inbox

/// The place of a published item.
package struct FeedReceipt: Sendable, Hashable {
    package let position: FeedPosition
    package let publishedAt: Timestamp
    /// False if the feed already had an item with this id, or the same content for it: the place is that item's, and
    /// nothing has changed.
    package let isNew: Bool
    /// Whether the feed's item with this id differs from the published one.
    package let differs: Bool
    /// The change that was made; nil for a published item.
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
