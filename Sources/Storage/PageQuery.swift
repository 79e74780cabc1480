package import Inbox

/// Which notifications to list, newest first.
package struct PageQuery: Sendable, Hashable {
    package enum Start: Sendable, Hashable {
        /// After skipping so many rows.
        case offset(Int64)
        /// Behind a place: see ``Page/end``.
        case behind(Int64)
        /// Only rows that stand behind, or before, this one: where it stands now, or where it came, if it is gone.
        case before(NotificationID)
        case after(NotificationID)
    }

    package var start: Start
    package var limit: Int
    /// Rows that came after this `seq` are left out, and those that came up again after it stand where they stood, so
    /// that pages fetched one by one fit together; nil for now.
    package var asOf: Int64?
    /// In which the place and `asOf` were told; of an inbox of another epoch they are none. Nil if nobody said.
    package var epoch: String?
    /// How many rows are passed over in that case.
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
