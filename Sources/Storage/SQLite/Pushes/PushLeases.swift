import Inbox

/// The jobs of one provider that are with whoever sends them.
///
/// In memory alone: after a crash the rows that still wait leave once more, with what their notifications say by then.
/// What a crash takes along are renewals whose earlier push was acknowledged while it was on its way: its row is gone,
/// and the notification is pushed again only when it grows again.
struct PushLeases: Sendable {
    /// A job that was handed out.
    struct Lease: Sendable {
        let place: PushTurns.Place
        fileprivate(set) var end: Timestamp
        /// Something was read, seen or removed since: the number that the push brings may be too high.
        var isOvertaken = false
        /// Nil for most, so that to pass a lease on counts nothing.
        private var more: More?

        private struct More: Sendable {
            let parts: PushParts
            let leaving: [String]
            var renewals: [NewPushJob] = []
        }

        /// - Parameter parts: nil for the place's notification alone.
        init(place: PushTurns.Place, parts: PushParts? = nil, leaving: [String] = [], end: Timestamp) {
            self.place = place
            self.end = end
            if parts != nil || !leaving.isEmpty {
                more = More(parts: parts ?? PushParts(place.notification), leaving: leaving)
            }
        }

        /// Whether it stands for its place's notification alone, and nothing leaves with it or is to follow it.
        var isPlain: Bool { more == nil }
        /// The notifications it stands for.
        var parts: PushParts { more?.parts ?? PushParts(place.notification) }
        /// The collapse ids under which earlier pushes of them are on the screen that this one does not replace.
        var leaving: [String] { more?.leaving ?? [] }
        /// Pushes of its notifications that are to follow it, as those have grown since. Whoever ends the lease queues
        /// them; where the job itself still waits, it says all when it leaves.
        var renewals: [NewPushJob] {
            get { more?.renewals ?? [] }
            set { more = More(parts: parts, leaving: leaving, renewals: newValue) }
        }
        var hasRenewals: Bool { more.map { !$0.renewals.isEmpty } ?? false }
    }

    private var byID: [Int64: Lease] = [:]
    /// What this transaction has changed of what there was before.
    private var journal: [(id: Int64, before: Lease)] = []
    private var lastID: Int64 = 0
    /// The last one of those that the transactions before it have begun.
    private var lastKeptID: Int64 = 0
    /// Those with renewals; mostly none.
    private var renewing: Set<Int64> = []
    /// No lease ends before; nil without any.
    private(set) var earliestEnd: Timestamp?

    var all: some Sequence<(key: Int64, value: Lease)> { byID }

    subscript(id: Int64) -> Lease? { byID[id] }

    /// - Returns: the lease's number; its parts have the numbers from there on.
    mutating func add(_ lease: Lease) -> Int64 {
        let id = lastID + 1
        lastID += Int64(lease.parts.count)
        byID[id] = lease
        earliestEnd = min(earliestEnd ?? lease.end, lease.end)
        return id
    }

    mutating func overtake(_ id: Int64) {
        guard let lease = byID[id], !lease.isOvertaken else { return }
        journal.append((id, lease))
        byID[id]?.isOvertaken = true
    }

    mutating func follow(_ id: Int64, with job: NewPushJob) {
        guard let lease = byID[id] else { return }
        journal.append((id, lease))
        byID[id]?.renewals.removeAll { $0.notification == job.notification }
        byID[id]?.renewals.append(job)
        renewing.insert(id)
    }

    /// The devices to which something is on its way that is to be followed.
    var renewingDevices: [Int64] { renewing.compactMap { byID[$0]?.place.device } }

    /// Takes back what was to follow pushes to these devices, as far as an acknowledgement up to `seq` covers it.
    mutating func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        var cancelled: [NewPushJob] = []
        for id in renewing {
            guard let lease = byID[id], devices.contains(lease.place.device) else { continue }
            let covered = lease.renewals.filter { $0.isFallback && ($0.seq ?? $0.notification) <= seq }
            guard !covered.isEmpty else { continue }
            cancelled += covered
            journal.append((id, lease))
            byID[id]?.renewals.removeAll { job in covered.contains { $0.notification == job.notification } }
            if byID[id]?.renewals.isEmpty ?? true { renewing.remove(id) }
        }
        return cancelled
    }

    mutating func remove(_ id: Int64) -> Lease? {
        guard let lease = byID.removeValue(forKey: id) else { return nil }
        journal.append((id, lease))
        if lease.hasRenewals { renewing.remove(id) }
        if byID.isEmpty { earliestEnd = nil }
        return lease
    }

    /// Time is counted from elsewhere: all end so much later.
    mutating func move(by span: Duration) {
        for (id, lease) in byID {
            journal.append((id, lease))
            byID[id]?.end = lease.end + span
        }
        earliestEnd = earliestEnd.map { $0 + span }
    }

    /// Takes out those whose time is over, the oldest first.
    mutating func removeEnded(at now: Timestamp) -> [Lease] {
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

    mutating func commit() {
        journal.removeAll(keepingCapacity: true)
        lastKeptID = lastID
    }

    /// All is again as it was at the last ``commit()``, but for the numbers: none means two leases.
    mutating func rollBack() {
        for (id, before) in journal.reversed() { byID[id] = before }
        for id in byID.keys where id > lastKeptID { byID[id] = nil }
        journal = []
        lastKeptID = lastID
        renewing = Set(byID.lazy.filter { $0.value.hasRenewals }.map(\.key))
        earliestEnd = byID.values.lazy.map(\.end).min()
    }
}
