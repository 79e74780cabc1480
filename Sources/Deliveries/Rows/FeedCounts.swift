import Inbox
import Store

/// What a feed still has behind an offset, in numbers.
package protocol FeedCounts {
    /// How many items are kept behind an offset, up to another.
    func countOfItems(after offset: Int64, upTo end: Int64, in feed: FeedRecord) throws -> Int64
    /// How many changes are kept behind an offset, and how many of those remove an item behind it.
    func countOfChanges(after offset: Int64, in feed: FeedRecord) throws -> (all: Int64, removals: Int64)
}

extension FeedCounts {
    /// How many of the items behind an offset are still there; changes do not count.
    ///
    /// Behind ``FeedRecord/trimmed``, nothing has gone with time. So each offset there is an item's or a kept change's,
    /// and only the items before are counted one by one. Most feeds have none before.
    package func newer(than offset: Int64, in feed: FeedRecord) throws -> Int64 {
        let start = max(offset, feed.trimmed)
        let early = start > offset ? try countOfItems(after: offset, upTo: start, in: feed) : 0
        var late = max(0, feed.position.offset - start)
        if let newest = feed.change, newest.offset > start {
            // A change takes an offset itself. One that removes an item behind `start` takes that item's, too.
            let changes = try countOfChanges(after: start, in: feed)
            late = max(0, late - changes.all - changes.removals)
        }
        return early + late
    }
}
