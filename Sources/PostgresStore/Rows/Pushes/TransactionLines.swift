import Deliveries
import Inbox
import Push

/// What one transaction does to the rows of `push_line`, until ``PostgresPushTurns/write()`` writes it.
///
/// A line is read and written under the lock of its person's inbox.
final class TransactionLines {
    /// The lines that were read, as this transaction has left them.
    var known: [Int64: PushLine] = [:]
    /// The inboxes whose lines with pushes that are to follow are known.
    var searched: Set<Int64> = []
    /// The devices of leases that were read.
    var devices: [Int64: Int64] = [:]
    /// The known lines that differ from their rows.
    var changed: Set<Int64> = []
    /// The first job that was queued for each device.
    var added: [Int64: (provider: Device.Provider, place: PushTurns.Place)] = [:]
    /// Devices whose push is not on its way any more.
    var released: [Int64: Device.Provider] = [:]
    /// Devices that have lost jobs.
    var lightened: [Int64: Device.Provider] = [:]
    /// Devices that are gone, or reached through another provider, and those for which nothing waits.
    var gone: Set<Int64> = []

    /// The found jobs that are the first ones of their devices' waiting jobs.
    var first: Set<PushTurns.Place> = []
    /// The jobs that were passed over in this look.
    var passed: Set<PushTurns.Place> = []
    /// Numbers for leases.
    var numbers: Range<Int64> = 0..<0
    /// No line is written before this moment: other nodes do not look there any more.
    private(set) var floor = Int64.min
    /// Whether the last look has found all due lines that nobody else held.
    var isLookedThrough = false
    /// When lines go on that a cancelled job has held up.
    var freed: [(provider: Device.Provider, due: Timestamp)] = []

    /// Half of what other nodes look back is left for the way to them.
    func begin(at now: Timestamp) { floor = max(floor, now.milliseconds - QueueFront.slack / 2) }

    func keep(_ line: PushLine) {
        known[line.device] = line
        if let lease = line.lease { devices[lease.id] = line.device }
    }

    func change(_ device: Int64, _ body: (inout PushLine) -> Void) {
        guard var line = known[device] else { return }
        body(&line)
        known[device] = line
        changed.insert(device)
    }

    /// Ends the lease of a device: what it gets next is to be found.
    func release(_ device: Int64) {
        change(device) { ($0.lease, $0.place) = (nil, nil) }
        changed.remove(device)
        released[device] = known[device]?.provider
    }

    func forget(_ device: Int64) {
        (known[device], added[device], released[device], lightened[device]) = (nil, nil, nil, nil)
        changed.remove(device)
        gone.insert(device)
    }
}
