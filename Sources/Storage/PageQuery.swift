package import Inbox

/// Which notifications to list, newest first.
package struct PageQuery: Sendable, Hashable {
    package enum Start: Sendable, Hashable {
        /// After skipping so many rows.
        case offset(Int64)
        /// Only rows that came before, or after, this one.
        case before(NotificationID)
        case after(NotificationID)
    }

    package var start: Start
    package var limit: Int
    /// Rows that came after this `seq` are left out, so that pages fetched one by one fit together; nil for none.
    package var asOf: Int64?
    /// Nil for all rows, however many there are.
    package var filter: NotificationFilter?

    package init(start: Start, limit: Int, asOf: Int64? = nil, filter: NotificationFilter? = nil) {
        self.start = start
        self.limit = limit
        self.asOf = asOf
        self.filter = filter
    }
}
