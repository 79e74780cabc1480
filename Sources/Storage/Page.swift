package import Inbox

/// One page of an inbox, read as of one moment.
package struct Page: Sendable {
    package let state: InboxState
    package let notifications: [Notification]
    /// Rows in the inbox as of the query's `asOf`; with a filter, those that pass it.
    package let totalCount: Int64
    /// Whether older rows follow.
    package let hasMore: Bool

    package init(state: InboxState, notifications: [Notification], totalCount: Int64, hasMore: Bool) {
        self.state = state
        self.notifications = notifications
        self.totalCount = totalCount
        self.hasMore = hasMore
    }
}
