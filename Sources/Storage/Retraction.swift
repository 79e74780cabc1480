/// What taking back an event has changed this time.
package struct Retraction: Sendable, Hashable {
    /// The latest event that had come with the key.
    package let event: String
    /// Notifications that went.
    package var removed: Int
    /// Batches that shrank.
    package var updated: Int
    package var pushesCancelled: Int
    /// Items that went from feeds.
    package var items: Int

    package init(event: String, removed: Int = 0, updated: Int = 0, pushesCancelled: Int = 0, items: Int = 0) {
        self.items = items
        self.event = event
        self.removed = removed
        self.updated = updated
        self.pushesCancelled = pushesCancelled
    }
}
