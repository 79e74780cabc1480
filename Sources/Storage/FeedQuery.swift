package import Inbox

/// Which items of a feed to read.
package struct FeedQuery: Sendable, Hashable {
    package enum Start: Sendable, Hashable {
        /// No item, just where the feed is.
        case head
        case newest
        /// The newest ones before an offset; of all, where the feed is of another epoch than was said.
        case before(Int64, epoch: String? = nil)
        /// The oldest ones after a place; from a place that is not known, the newest.
        case after(FeedPosition)
        /// The newest ones after a place; from a place that is not known, the newest of all.
        case newestAfter(FeedPosition)
        /// The oldest ones that were published after a moment.
        case afterTime(Timestamp)
    }

    package let start: Start
    /// Only items with one of these; empty: all items.
    package let tags: [String]
    /// How many items at most.
    package let limit: Int
    /// Whether what became of items up to a place is told behind it.
    package let tellsChanges: Bool
    /// Of all items' JSON; the first item is told however long it is.
    package let maximumBytes: Int

    package init(
        _ start: Start, tags: [String] = [], limit: Int, tellsChanges: Bool = true, maximumBytes: Int = 4 << 20
    ) {
        self.tellsChanges = tellsChanges
        self.start = start
        self.tags = tags
        self.limit = limit
        self.maximumBytes = maximumBytes
    }
}
