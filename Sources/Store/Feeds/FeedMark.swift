package import Inbox

/// How far a person has viewed a feed.
package struct FeedMark: Sendable, Hashable {
    /// The part of a feed that a person says they have seen.
    package enum Place: Sendable, Hashable {
        case head
        case position(FeedPosition)
        /// Everything published up to a moment.
        case time(Timestamp)
    }

    /// The offset of the last viewed item; 0 for none. Never goes back.
    package let viewed: Int64
    package let head: FeedPosition
    /// How many items came after it.
    package let newer: Int64

    package init(viewed: Int64, head: FeedPosition, newer: Int64) {
        self.viewed = viewed
        self.head = head
        self.newer = newer
    }
}
