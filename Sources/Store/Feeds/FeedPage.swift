package import Inbox

/// Items of a feed in the order of their offsets, read as of one moment.
package struct FeedPage: Sendable {
    package struct Item: Sendable, Hashable {
        package let offset: Int64
        package let publishedAt: Timestamp
        package let json: [UInt8]
        /// The change of an item before the requested place; nil for an item.
        package let change: FeedChange?
        /// The changed item's id; nil for an item.
        package let id: String?

        package init(
            offset: Int64, publishedAt: Timestamp, json: [UInt8], change: FeedChange? = nil, id: String? = nil
        ) {
            self.offset = offset
            self.publishedAt = publishedAt
            self.json = json
            self.change = change
            self.id = id
        }
    }

    /// Behind a place, this includes changes of items up to it.
    package let items: [Item]
    /// The feed's newest position; the offset is 0 for a feed that has had no item yet.
    package let head: FeedPosition
    /// The place of the last item that was looked at: a client that continues there misses and repeats nothing.
    package let end: Int64
    /// Whether matching items are kept before the page, within the requested range.
    package let hasOlder: Bool
    /// Whether the requested place is known: if not, items after it may be gone, and these are the newest.
    package let isRecovered: Bool

    package init(items: [Item], head: FeedPosition, end: Int64, hasOlder: Bool, isRecovered: Bool) {
        self.items = items
        self.head = head
        self.end = end
        self.hasOlder = hasOlder
        self.isRecovered = isRecovered
    }

    /// The newest items that have at most so many bytes together, and in any case the newest one.
    package func newest(maximumBytes: Int) -> ArraySlice<Item> {
        var (start, room) = (items.endIndex, maximumBytes)
        while start > items.startIndex, start == items.endIndex || items[start - 1].json.count <= room {
            start -= 1
            room -= items[start].json.count
        }
        return items[start...]
    }

    /// Whether no matching item follows the page.
    package var isComplete: Bool { end == head.offset }
}
