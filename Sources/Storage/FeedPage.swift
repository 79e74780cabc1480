/// Items of a feed in the order of their offsets, read as of one moment.
package struct FeedPage: Sendable {
    package let items: [(offset: Int64, json: [UInt8])]
    /// The feed's newest position; an empty epoch and offset 0 for a feed that has had no item yet.
    package let head: FeedPosition
    /// Whether the items are all that came after the place that was asked for; if not, they are the newest ones.
    package let isComplete: Bool

    package init(items: [(offset: Int64, json: [UInt8])], head: FeedPosition, isComplete: Bool) {
        self.items = items
        self.head = head
        self.isComplete = isComplete
    }
}
