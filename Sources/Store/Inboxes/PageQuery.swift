package import Inbox

/// The notifications to list, newest first.
package struct PageQuery: Sendable, Hashable {
    package enum Start: Sendable, Hashable {
        /// After skipping so many rows.
        case offset(Int64)
        /// Behind a place: see ``Page/end``.
        case behind(Int64)
        /// Only rows below (`before`) or above (`after`) this one in the list, by its current place. If it is gone, by
        /// the place at which it came.
        case before(NotificationID)
        case after(NotificationID)
    }

    package var start: Start
    package var limit: Int
    /// Leaves out rows that came after this `seq`; rows that came up again after it keep their earlier place. So pages
    /// fetched one by one fit together. Nil for now.
    package var asOf: Int64?
    /// The epoch of the place and of `asOf`, which are unknown in any other; nil if it was not given.
    package var epoch: String?
    /// How many rows are skipped in that case.
    package var startAnew: Int64 = 0
    /// Nil for all rows, however many there are.
    package var filter: NotificationFilter?

    package init(start: Start, limit: Int, asOf: Int64? = nil, filter: NotificationFilter? = nil) {
        self.start = start
        self.limit = limit
        self.asOf = asOf
        self.filter = filter
    }
}
