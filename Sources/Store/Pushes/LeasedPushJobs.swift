package import Inbox
package import Push

/// Push jobs on lease, and when to look again.
package struct LeasedPushJobs: Sendable {
    package let jobs: [PushJob]
    /// When to look again: when the next job is due or a lease ends, or at once if jobs were left; nil if nothing
    /// waits. Settling a job may free the next one of its device at once.
    package let nextDue: Timestamp?

    package init(jobs: [PushJob], nextDue: Timestamp?) {
        self.jobs = jobs
        self.nextDue = nextDue
    }
}
