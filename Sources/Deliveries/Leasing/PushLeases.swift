package import Inbox
package import Store

/// The jobs of one provider that are handed out to a sender.
///
/// Leases are in memory alone: after a crash the rows that still wait leave once more, with the current words. A crash
/// loses the renewals of a push that was acknowledged on its way. Its row is gone, and the notification is pushed again
/// only when it grows again.
package struct PushLeases: Sendable {
    /// A job that was handed out.
    package struct Lease: Sendable {
        package fileprivate(set) var place: PushTurns.Place
        package fileprivate(set) var end: Timestamp
        /// Whether something was read, seen or removed since: the number in the push may be too high.
        package var isOvertaken = false
        /// Nil for most, so that passing on a lease counts no reference.
        private var more: More?

        private struct More: Sendable {
            let parts: PushParts
            let leaving: [String]
            var renewals: [NewPushJob] = []
        }

        /// - Parameter parts: nil for the place's notification alone.
        package init(place: PushTurns.Place, parts: PushParts? = nil, leaving: [String] = [], end: Timestamp) {
            self.place = place
            self.end = end
            if parts != nil || !leaving.isEmpty {
                more = More(parts: parts ?? PushParts(place.notification), leaving: leaving)
            }
        }

        /// Whether the lease is for its place's notification alone, with nothing that leaves or follows.
        package var isPlain: Bool { more == nil }
        /// The notifications that the push stands for.
        package var parts: PushParts { more?.parts ?? PushParts(place.notification) }
        /// The collapse ids of their earlier pushes that are on the screen and that this push does not replace.
        package var leaving: [String] { more?.leaving ?? [] }
        /// The pushes of notifications that have grown since, which are to follow this one. Ending the lease queues
        /// them; a job that still waits says everything when it leaves.
        package var renewals: [NewPushJob] {
            get { more?.renewals ?? [] }
            set { more = More(parts: parts, leaving: leaving, renewals: newValue) }
        }
        package var hasRenewals: Bool { more.map { !$0.renewals.isEmpty } ?? false }
    }

    private var byID: [Int64: Lease] = [:]
    /// The earlier states of leases that this transaction has changed.
    private var journal: [(id: Int64, before: Lease)] = []
    private var lastID: Int64 = 0
    /// The last number that earlier transactions have given.
    private var lastKeptID: Int64 = 0
    /// The leases with renewals; mostly none.
    private var renewing: Set<Int64> = []
    /// No lease ends before this time; nil without leases.
    package private(set) var earliestEnd: Timestamp?

    package init() {}

    package var all: some Sequence<(key: Int64, value: Lease)> { byID }

    package subscript(id: Int64) -> Lease? { byID[id] }

    /// - Returns: the lease's number; its parts have the numbers from there on.
    package mutating func add(_ lease: Lease) -> Int64 {
        let id = lastID + 1
        lastID += Int64(lease.parts.count)
        byID[id] = lease
        earliestEnd = min(earliestEnd ?? lease.end, lease.end)
        return id
    }

    package mutating func overtake(_ id: Int64) {
        guard let lease = byID[id], !lease.isOvertaken else { return }
        journal.append((id, lease))
        byID[id]?.isOvertaken = true
    }

    package mutating func follow(_ id: Int64, with job: NewPushJob) {
        guard let lease = byID[id] else { return }
        journal.append((id, lease))
        byID[id]?.renewals.removeAll { $0.notification == job.notification }
        byID[id]?.renewals.append(job)
        renewing.insert(id)
    }

    /// The devices with a push on its way that another is to follow.
    package var renewingDevices: [Int64] { renewing.compactMap { byID[$0]?.place.device } }

    /// Removes and returns the pushes to follow on these devices that an acknowledgement up to `seq` covers.
    package mutating func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        var cancelled: [NewPushJob] = []
        for id in renewing {
            guard let lease = byID[id], devices.contains(lease.place.device) else { continue }
            let covered = lease.renewals.filter { $0.isCovered(upTo: seq) }
            guard !covered.isEmpty else { continue }
            cancelled += covered
            journal.append((id, lease))
            byID[id]?.renewals.removeAll { job in covered.contains { $0.notification == job.notification } }
            if byID[id]?.renewals.isEmpty ?? true { renewing.remove(id) }
        }
        return cancelled
    }

    package mutating func remove(_ id: Int64) -> Lease? {
        guard let lease = byID.removeValue(forKey: id) else { return nil }
        journal.append((id, lease))
        if lease.hasRenewals { renewing.remove(id) }
        if byID.isEmpty { earliestEnd = nil }
        return lease
    }

    /// Lets all leases end so much later, as the clock was set and their jobs were moved.
    /// - Parameter places: the jobs' new places by those that they had.
    package mutating func move(along jump: ClockJump, to places: [PushTurns.Place: PushTurns.Place], grace: Duration) {
        for (id, lease) in byID {
            journal.append((id, lease))
            byID[id]?.end = lease.end + jump.span
            if let place = places[lease.place] { byID[id]?.place = place }
            if lease.hasRenewals { byID[id]?.renewals = lease.renewals.map { $0.moved(along: jump, grace: grace) } }
        }
        earliestEnd = earliestEnd.map { $0 + jump.span }
    }

    /// Removes and returns the leases whose time is over, the oldest first.
    package mutating func removeEnded(at now: Timestamp) -> [Lease] {
        guard let earliestEnd, earliestEnd <= now else { return [] }
        let ended = byID.filter { $0.value.end <= now }.sorted { $0.key < $1.key }
        for (id, lease) in ended {
            byID[id] = nil
            renewing.remove(id)
            journal.append((id, lease))
        }
        self.earliestEnd = byID.values.lazy.map(\.end).min()
        return ended.map(\.value)
    }

    // MARK: Transactions

    package mutating func commit() {
        journal.removeAll(keepingCapacity: true)
        lastKeptID = lastID
    }

    /// Restores the state of the last ``commit()``, except for the numbers: none means two leases.
    package mutating func rollBack() {
        for (id, before) in journal.reversed() { byID[id] = before }
        for id in byID.keys where id > lastKeptID { byID[id] = nil }
        journal = []
        lastKeptID = lastID
        renewing = Set(byID.lazy.filter { $0.value.hasRenewals }.map(\.key))
        earliestEnd = byID.values.lazy.map(\.end).min()
    }
}
