package import Inbox
package import Push

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
