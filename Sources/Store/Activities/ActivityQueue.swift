package import Inbox
package import Push

/// The pushes that wait for Live Activities, as their sender sees them. Calls and completions as in ``Store``.
package protocol ActivityQueue: AnyObject, Sendable {
    /// Hands out at most `limit` due pushes, those that wait longest first. One without an outcome by `leaseEnd` counts as
    /// one whose answer was lost.
    func leaseActivities(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedActivities, StoreError>) -> Void)

    /// Ends leases.
    func settle(
        _ outcomes: [ActivityOutcome], at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Ends all leases, as no other process has any: those of the last process have lost their answers.
    func endActivityLeases(at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)
}

/// A push to a Live Activity, handed out to be sent.
package struct ActivityJob: Sendable, Hashable {
    /// The device's row number.
    package let row: Int64
    /// The activity's number for the push, which tells it from later ones.
    package let number: Int64
    package let user: UserID
    package let device: Device
    package let push: ActivityPush

    package init(row: Int64, number: Int64, user: UserID, device: Device, push: ActivityPush) {
        (self.row, self.number, self.user, self.device, self.push) = (row, number, user, device, push)
    }

    package var key: String { push.content.key }
}

package struct LeasedActivities: Sendable, Hashable {
    package let jobs: [ActivityJob]
    /// When the next push is due, those included that were just handed out; nil without any.
    package let nextDue: Timestamp?

    package init(jobs: [ActivityJob], nextDue: Timestamp?) { (self.jobs, self.nextDue) = (jobs, nextDue) }
}

/// What became of one try.
package struct ActivityOutcome: Sendable, Hashable {
    package let job: ActivityJob
    package let verdict: Verdict
    /// Uniform in `0..<1`.
    package let jitter: Double

    package init(_ job: ActivityJob, _ verdict: Verdict, jitter: Double) {
        (self.job, self.verdict, self.jitter) = (job, verdict, jitter)
    }
}
