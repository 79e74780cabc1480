package import Inbox
package import Push
package import Store

/// The order of pushes and their leases in the memory of the one process that has the store. Lives for one transaction.
///
/// One process has the store, so handing out a job writes nothing, and a crash ends all leases.
package final class PushTurnsInMemory: PushTurnRows {
    /// How many jobs one step of the walk reads.
    private static let stride = 64...1_024
    /// So many jobs are looked at together.
    private static let together = 16

    /// Outlives the transaction: its owner takes it out again.
    package var memory: PushMemory
    /// Nil for a rehearsal, which hands nothing out: finding the jobs that were put off reads the whole queue.
    private let jobs: (any PushWalkRows)?
    /// The rows that the walk has found in this look, in order, without those whose turn has come.
    private var walked: ArraySlice<WalkedJob> = []

    package init(_ memory: PushMemory, _ jobs: (any PushWalkRows)?) { (self.memory, self.jobs) = (memory, jobs) }

    /// `body` must not ask for the same turns again.
    private func with<Result>(
        _ provider: Device.Provider, _ body: (inout PushTurns) throws -> Result
    ) throws -> Result {
        var turns = try memory.take(provider) { try jobs?.putOff(provider: provider) ?? [:] }
        defer { memory.put(turns, provider) }
        return try body(&turns)
    }

    // MARK: Handing out

    package func beginLook(_ provider: Device.Provider, at now: Timestamp) throws {
        walked = []
        try with(provider) { turns in
            // The clock was set back: jobs up to `walkedTo` were found as due, and must wait again.
            if let walkedTo = turns.walkedTo, walkedTo.availableAt > now { try beginAnew(&turns, provider) }
        }
    }

    private func beginAnew(_ turns: inout PushTurns, _ provider: Device.Provider) throws {
        turns = PushTurns(leases: turns.leases, putOff: try jobs?.putOff(provider: provider) ?? [:])
    }

    package func look(_ limit: Int, _ provider: Device.Provider, at now: Timestamp) throws -> PushLook {
        try with(provider) { turns in
            var look = PushLook()
            look.ended = turns.endLeases(at: now)
            guard let jobs else {
                look.isLast = true
                return look
            }
            guard look.ended.isEmpty else { return look }
            let count = min(limit, Self.together)
            while look.jobs.count < count, look.looked < Self.stride.upperBound, let place = turns.next() {
                if let row = try row(place, jobs) {
                    if look.jobs.isEmpty { look.jobs.reserveCapacity(count) }
                    look.jobs.append(row)
                } else {
                    look.looked += 1
                    turns.pass(place)
                }
            }
            guard look.jobs.isEmpty, look.looked < Self.stride.upperBound else { return look }
            let wanted = min(max(limit, Self.stride.lowerBound), Self.stride.upperBound)
            let rows = try jobs.due(at: now, provider: provider, after: turns.walkedTo, limit: wanted)
            for row in rows { turns.found(row.place) }
            walked = rows[...]
            look.looked += rows.count
            look.isLast = rows.isEmpty
            return look
        }
    }

    /// The job at a place; nil if it is gone.
    private func row(_ place: PushTurns.Place, _ jobs: any PushWalkRows) throws -> PushJobRow? {
        while let first = walked.first, first.place < place { walked.removeFirst() }
        // The walk has rows of plain jobs only: a job of a fold may have left with others since.
        if let first = walked.first, first.place == place, let row = first.row {
            walked.removeFirst()
            return row
        }
        return try jobs.row(place)
    }

    package func begin(
        _ place: PushTurns.Place, _ provider: Device.Provider, parts: PushParts?, leaving: [String],
        until end: Timestamp
    ) throws -> Int64 {
        try with(provider) { $0.begin(place, parts: parts, leaving: leaving, until: end) }
    }

    package func pass(_ place: PushTurns.Place, _ provider: Device.Provider) throws {
        try with(provider) { $0.pass(place) }
    }

    package func nextDue(after now: Timestamp, _ provider: Device.Provider) throws -> Timestamp? {
        let due = try jobs?.nextDue(after: now, provider: provider)
        return try with(provider) { turns in [due, turns.leases.earliestEnd].compactMap(\.self).min() }
    }

    // MARK: Settling

    package func leases(
        _ asked: [(id: Int64, ends: Bool)], _ provider: Device.Provider, at now: Timestamp
    ) throws -> [PushLeases.Lease?] {
        try with(provider) { turns in asked.map { $0.ends ? turns.end($0.id) : turns.leases[$0.id] } }
    }

    package func end(_ id: Int64, _ provider: Device.Provider) throws { _ = try with(provider) { $0.end(id) } }

    package func giveBack(_ id: Int64, _ provider: Device.Provider) throws {
        try with(provider) { $0.giveBack(id) }
    }

    package func putOff(_ id: Int64, _ provider: Device.Provider, to places: [PushTurns.Place]) throws {
        try with(provider) { $0.putOff(id, to: places) }
    }

    // MARK: What happens to jobs

    package func added(_ place: PushTurns.Place, _ provider: Device.Provider) throws {
        try with(provider) { $0.added(place) }
    }

    package func cancelled(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool {
        try with(provider) { $0.cancelled(device: device, notification: notification) }
    }

    package func forget(device: Int64, _ provider: Device.Provider) throws -> PushLeases.Lease? {
        try with(provider) { $0.forget(device: device) }
    }

    // MARK: On its way

    package func isOnLease(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool {
        try with(provider) { $0.isOnLease(device: device, notification: notification) }
    }

    package func overtake(device: Int64, _ provider: Device.Provider) throws {
        try with(provider) { $0.overtake(device: device) }
    }

    package func follow(with job: NewPushJob, _ provider: Device.Provider) throws -> Bool {
        try with(provider) { $0.follow(with: job) }
    }

    package func renewingDevices(inbox: Int64) -> [Int64] { memory.renewingDevices }

    package func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        memory.cancelRenewals(upTo: seq, of: devices)
    }

    // MARK: The transaction

    package func move(
        along jump: ClockJump, to places: [PushTurns.Place: PushTurns.Place], grace: Duration,
        _ provider: Device.Provider
    ) throws {
        try with(provider) { turns in
            var leases = turns.leases
            leases.move(along: jump, to: places, grace: grace)
            // The turns are found anew.
            turns = PushTurns(leases: leases)
            try beginAnew(&turns, provider)
        }
    }

    package func flush() -> [(provider: Device.Provider, due: Timestamp)] { [] }
}
