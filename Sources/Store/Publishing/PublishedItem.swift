/// An item that an event has published, or would publish.
package struct PublishedItem: Sendable, Hashable {
    package let feed: String
    package let position: FeedPosition
    /// False if the feed already had an item with its id: the position is that item's.
    package let isNew: Bool

    package init(feed: String, position: FeedPosition, isNew: Bool) {
        (self.feed, self.position, self.isNew) = (feed, position, isNew)
    }
}
