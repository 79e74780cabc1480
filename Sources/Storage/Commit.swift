package import Inbox
package import Push

/// What one durable commit changed, in order.
package struct Commit: Sendable {
    package struct InboxDelivery: Sendable {
        package let user: UserID
        package let change: InboxChange

        package init(user: UserID, change: InboxChange) {
            self.user = user
            self.change = change
        }
    }

    package struct FeedDelivery: Sendable {
        package let item: FeedItem
        package let position: FeedPosition

        package init(item: FeedItem, position: FeedPosition) {
            self.item = item
            self.position = position
        }
    }

    package var inboxes: [InboxDelivery] = []
    package var feeds: [FeedDelivery] = []
    /// By provider: when the earliest push job is due that this commit queued, put off or set free; that may be long ago.
    package var nextPushDue: [Device.Provider: Timestamp] = [:]

    package init() {}

    package var isEmpty: Bool { inboxes.isEmpty && feeds.isEmpty && nextPushDue.isEmpty }
}
