package import Inbox

/// One page of an inbox, read as of one moment.
package struct Page: Sendable {
    package let state: InboxState
    package let notifications: [Notification]
    /// The inbox's rows as of the query's `asOf`; with a filter, those that pass it.
    package let totalCount: Int64
    /// How many of these rows are on the page or follow it.
    package let remaining: Int64
    /// The `seq` as of which the list was read: later notifications are not in it.
    package let asOf: Int64
    /// The place of the page's last row: the next page is ``PageQuery/Start/behind(_:)`` it. Nil without rows.
    package let end: Int64?
    /// Whether the requested place is known: if not, these are other rows, and none may be missed.
    package let isRecovered: Bool
    /// How many rows of the page are damaged: they are counted, but not shown.
    package let leftOut: Int

    package init(
        state: InboxState, notifications: [Notification], totalCount: Int64, remaining: Int64, asOf: Int64, end: Int64?,
        isRecovered: Bool = true, leftOut: Int = 0
    ) {
        self.state = state
        self.notifications = notifications
        self.totalCount = totalCount
        self.remaining = remaining
        self.asOf = asOf
        self.end = end
        self.isRecovered = isRecovered
        self.leftOut = leftOut
    }

    /// Whether older rows follow.
    package var hasMore: Bool { remaining > Int64(notifications.count + leftOut) }
}
