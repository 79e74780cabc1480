package import Inbox
import Store

/// A kept change of a feed's item.
package struct ToldFeedChange {
    package let offset: Int64
    package let time: Timestamp
    package let change: FeedChange
    /// The item's.
    package let id: String
    package let tags: [String]

    package init(offset: Int64, time: Timestamp, change: FeedChange, id: String, tags: [String]) {
        (self.offset, self.time, self.change) = (offset, time, change)
        (self.id, self.tags) = (id, tags)
    }
}
