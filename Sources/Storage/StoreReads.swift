package import Inbox
package import Push

/// A client's place in an inbox: it has everything up to `seq` of this epoch.
package struct InboxPosition: Sendable, Hashable {
    package let epoch: String
    package let seq: Int64

    package init(epoch: String, seq: Int64) {
        self.epoch = epoch
        self.seq = seq
    }
}

/// What a session needs to be in sync.
package struct Recovery: Sendable {
    package enum Result: Sendable {
        /// All changes after the client's position, in order; none for a client without a position.
        case changes([InboxChange])
        /// The position is of another epoch, too old, or yet to come: the first page instead.
        case reset([Notification])
    }

    /// The inbox as of the read.
    package let state: InboxState
    package let result: Result

    package init(state: InboxState, result: Result) {
        self.state = state
        self.result = result
    }
}

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

    package init(start: Start, limit: Int, asOf: Int64? = nil) {
        self.start = start
        self.limit = limit
        self.asOf = asOf
    }
}

package struct Page: Sendable {
    package let state: InboxState
    package let notifications: [Notification]
    /// Rows in the inbox as of the query's `asOf`.
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

/// What a command did: how many rows it changed, and the inbox after it.
package struct CommandOutcome: Sendable, Hashable {
    package let count: Int64
    package let state: InboxState

    package init(count: Int64, state: InboxState) {
        self.count = count
        self.state = state
    }
}

/// Push jobs on lease, and when to look again.
package struct LeasedPushJobs: Sendable {
    package let jobs: [PushJob]
    /// When to look again: the earliest moment at which a job is due or a lease ends; nil if the queue is empty.
    package let nextDue: Timestamp?

    package init(jobs: [PushJob], nextDue: Timestamp?) {
        self.jobs = jobs
        self.nextDue = nextDue
    }
}

package struct StoreStatistics: Sendable, Hashable {
    package var inboxes: Int64
    package var notifications: Int64
    /// What notifications say; a fan-out has one however many people it reached.
    package var contents: Int64
    package var pushJobs: Int64
    /// The sum over inboxes of |unread − unread rows|; anything but 0 is a defect.
    package var unreadDrift: Int64

    package init(inboxes: Int64, notifications: Int64, contents: Int64, pushJobs: Int64, unreadDrift: Int64) {
        self.inboxes = inboxes
        self.notifications = notifications
        self.contents = contents
        self.pushJobs = pushJobs
        self.unreadDrift = unreadDrift
    }
}
