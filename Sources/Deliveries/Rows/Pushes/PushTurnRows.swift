package import Inbox
package import Push
package import Store

/// The order in which the pushes of each provider leave, and those that are on their way.
///
/// The jobs of a device leave one at a time, in the order in which they are due. While one is put off after a failure,
/// those behind it wait. One process may keep this in its memory: ``PushTurnsInMemory``. Several keep it in rows.
package protocol PushTurnRows: AnyObject {
    // MARK: Handing out

    /// Begins to look for due jobs: what an earlier look has found may be out of date.
    func beginLook(_ provider: Device.Provider, at now: Timestamp) throws
    /// The next jobs whose turn it is, each of another device, so that none affects another. Each one is to be followed
    /// by ``begin(_:_:parts:leaving:until:)`` or ``pass(_:_:)`` before the next look.
    /// - Parameter limit: how many are wanted. An engine may find fewer at a time.
    func look(_ limit: Int, _ provider: Device.Provider, at now: Timestamp) throws -> PushLook
    /// Hands out the job at a place.
    /// - Parameters:
    ///   - parts: nil for the place's notification alone.
    ///   - leaving: as in ``PushLeases/Lease``.
    /// - Returns: the lease's number; its parts have the numbers from there on.
    func begin(
        _ place: PushTurns.Place, _ provider: Device.Provider, parts: PushParts?, leaving: [String],
        until end: Timestamp
    ) throws -> Int64
    /// Goes on after a job that a look has found, and that is gone or put off by now.
    func pass(_ place: PushTurns.Place, _ provider: Device.Provider) throws
    /// The first time after `now` at which a job is due or a lease ends; nil if nothing waits.
    func nextDue(after now: Timestamp, _ provider: Device.Provider) throws -> Timestamp?

    // MARK: Settling

    /// The leases with these numbers, nil for one that is over.
    /// - Parameter asked: `ends` ends the lease, as its job is done in whatever way.
    func leases(
        _ asked: [(id: Int64, ends: Bool)], _ provider: Device.Provider, at now: Timestamp
    ) throws -> [PushLeases.Lease?]
    /// Ends the lease of a job that is done, in whatever way.
    func end(_ id: Int64, _ provider: Device.Provider) throws
    /// Ends a lease without a result: its job goes first.
    func giveBack(_ id: Int64, _ provider: Device.Provider) throws
    /// Ends the lease of a failed job. The rest of the job has other places now, and holds up its device until then.
    /// - Parameter places: those of its parts, at least one.
    func putOff(_ id: Int64, _ provider: Device.Provider, to places: [PushTurns.Place]) throws

    // MARK: What happens to jobs

    /// Takes in a job that was queued or moved.
    func added(_ place: PushTurns.Place, _ provider: Device.Provider) throws
    /// Notes that a job was cancelled which was not on lease.
    /// - Returns: whether it is known that another job may leave now. ``flush()`` may tell so, too.
    func cancelled(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool
    /// Forgets a device, with all its jobs, that is gone or now reached through another provider.
    /// - Returns: the lease of a push that is on its way to it; nil if there is none.
    func forget(device: Int64, _ provider: Device.Provider) throws -> PushLeases.Lease?

    // MARK: On its way

    func isOnLease(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool
    /// Notes that the number on the device's icon has to shrink.
    func overtake(device: Int64, _ provider: Device.Provider) throws
    /// Lets a push of the same notification follow the one that is on its way.
    /// - Returns: false if none is on its way.
    func follow(with job: NewPushJob, _ provider: Device.Provider) throws -> Bool
    /// The inbox's devices with a push on its way that another of the same notification is to follow; mostly none. An
    /// engine may name other inboxes' devices as well.
    func renewingDevices(inbox: Int64) throws -> [Int64]
    /// Removes and returns the pushes to follow on these devices that an acknowledgement up to `seq` covers.
    /// - Parameter devices: some of ``renewingDevices(inbox:)``.
    func cancelRenewals(upTo seq: Int64, of devices: [Int64]) throws -> [NewPushJob]

    // MARK: The transaction

    /// The clock of the one process was set, and all jobs have moved along: leases end so much later.
    /// - Parameter places: the new places of the jobs on lease by those that they had.
    func move(
        along jump: ClockJump, to places: [PushTurns.Place: PushTurns.Place], grace: Duration,
        _ provider: Device.Provider
    ) throws
    /// Writes what was gathered so far; to be called before the commit.
    /// - Returns: when lines go on that a cancelled job has held up.
    func flush() throws -> [(provider: Device.Provider, due: Timestamp)]
}
