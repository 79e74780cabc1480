/// The changes made by one call that takes back an event.
package struct Retraction: Sendable, Hashable {
    /// The latest event with the key.
    package let event: String
    /// Removed notifications.
    package var removed: Int
    /// Batches that shrank.
    package var updated: Int
    package var pushesCancelled: Int
    /// Items removed from feeds.
    package var items: Int

    package init(event: String, removed: Int = 0, updated: Int = 0, pushesCancelled: Int = 0, items: Int = 0) {
        self.items = items
        self.event = event
        self.removed = removed
        self.updated = updated
        self.pushesCancelled = pushesCancelled
    }
}
