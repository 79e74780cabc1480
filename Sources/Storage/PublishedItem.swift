/// An item that an event has published, or would.
package struct PublishedItem: Sendable, Hashable {
    package let feed: String
    package let position: FeedPosition
    /// False if the feed had an item of its id already, which is where this says.
    package let isNew: Bool

    package init(feed: String, position: FeedPosition, isNew: Bool) {
        (self.feed, self.position, self.isNew) = (feed, position, isNew)
    }
}
