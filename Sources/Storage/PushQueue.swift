package import Inbox
package import Push

/// The durable queue of pushes, as whoever sends them sees it. Calls and completions as in ``Store``.
package protocol PushQueue: AnyObject, Sendable {
    /// Hands out at most `limit` jobs of one provider that are due, one a device at a time and those of a device in
    /// their order, each leased until `leaseEnd`: not settled by then, it is handed out again. Jobs that fold are
    /// handed out as one, and once handed out they stay one: tried again, such a job has the same collapse id and no
    /// new parts.
    func leasePushJobs(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void)

    /// Ends leases with what the attempts decided; all of them or none. It survives the process when this completes,
    /// and a power cut a moment later: by one before that, these pushes leave once more.
    func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    )
}
