package import Inbox
package import Push

/// Push jobs on lease, and when to look again.
package struct LeasedPushJobs: Sendable {
    package let jobs: [PushJob]
    /// When to look again: the earliest moment to come at which a job is due or a lease ends; nil without any. After
    /// settling a job there may be more at once: the next one of its device.
    package let nextDue: Timestamp?

    package init(jobs: [PushJob], nextDue: Timestamp?) {
        self.jobs = jobs
        self.nextDue = nextDue
    }
}
