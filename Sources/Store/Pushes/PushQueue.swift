package import Inbox
package import Push

/// The durable queue of pushes, as their senders see it. Calls and completions as in ``Store``.
package protocol PushQueue: AnyObject, Sendable {
    /// Hands out at most `limit` due jobs of one provider: one a device at a time, a device's jobs in order. Each is
    /// leased until `leaseEnd`, and handed out again if it is not settled by then. Jobs that fold are handed out as one
    /// and stay one: another try has the same collapse id and no new parts.
    func leasePushJobs(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void)

    /// Ends leases with the outcomes of the attempts; all of them or none. A crash before the commit lets these pushes
    /// leave again.
    func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    )
}
