package import Inbox

/// The items of a feed to read.
package struct FeedQuery: Sendable, Hashable {
    package enum Start: Sendable, Hashable {
        /// No items, only the feed's position.
        case head
        case newest
        /// The newest items before an offset; the newest of all if the feed has another epoch than the given one.
        case before(Int64, epoch: String? = nil)
        /// The oldest items after a place; the newest if the place is unknown.
        case after(FeedPosition)
        /// The newest items after a place; the newest of all if the place is unknown.
        case newestAfter(FeedPosition)
        /// The oldest items published after a moment.
        case afterTime(Timestamp)
    }

    package let start: Start
    /// Only items with one of these tags; empty for all items.
    package let tags: [String]
    /// How many items at most.
    package let limit: Int
    /// Whether changes of items up to a place are told behind it.
    package let tellsChanges: Bool
    /// The most bytes of all items' JSON; the first item is told even if it is larger.
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
