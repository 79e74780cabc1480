import Inbox

/// Whose turn it is among the due jobs of one provider: the jobs of a device leave one at a time and in the order in
/// which they are due, and while one is put off after a failure, those behind it wait.
///
/// One process has the store, so leases live here and nowhere else: handing out a job writes nothing, and a crash ends
/// all leases. The queue is walked once, from the earliest job on; a job that cannot leave yet is remembered in its
/// device's line, so that a long backlog of one device is not walked again for every lease. Places are never taken
/// back from a line: whoever takes one out looks whether the job still stands there.
struct PushTurns: Sendable {
    /// A job, and where it stands. Of one that is gone the position may be another's by now.
    struct Place: Sendable, Hashable, Comparable {
        let position: QueuePlace
        let number: PushJobNumber

        init(position: QueuePlace, number: PushJobNumber) { (self.position, self.number) = (position, number) }

        init(position: QueuePlace, device: Int64, notification: Int64) {
            self.init(position: position, number: PushJobNumber(device: device, notification: notification))
        }

        var availableAt: Timestamp { position.availableAt }
        var device: Int64 { number.device }
        var notification: Int64 { number.notification }

        static func < (one: Self, other: Self) -> Bool {
            one.position == other.position ? one.number.rawValue < other.number.rawValue : one.position < other.position
        }
    }

    private enum Holder: Sendable {
        case lease(Int64)
        /// The parts of a job that was put off after a failure.
        case putOff([Int64])
    }

    private struct Line: Sendable {
        /// Why nothing of the device may leave.
        var holder: Holder?
        /// A job that was handed out before, and goes first.
        var returning: Place?
        var waiting = SortedQueue<Place>()
        var isReady = false

        /// What becomes of a line that something has happened to.
        enum Call {
            case stays
            /// Its next job may leave.
            case isReady(Place)
            case isEmpty
        }

        mutating func call() -> Call {
            if isReady { return .stays }
            if case .some = holder { return .stays }
            guard let first = returning ?? waiting.first else { return .isEmpty }
            isReady = true
            return .isReady(first)
        }

        /// Takes out the next job; nil for a line that is not ready.
        mutating func leave() -> Place? {
            guard isReady else { return nil }
            isReady = false
            return returning.take() ?? waiting.popFirst()
        }

        /// A job of it is due.
        mutating func take(_ place: Place) {
            if case .putOff(let parts)? = holder, parts.contains(place.notification) {
                holder = nil
                returning = place
            } else {
                waiting.insert(place)
            }
        }
    }

    /// Outlives the loss of everything else: a rolled back transaction takes no lease from whoever holds it.
    private(set) var leases: PushLeases
    /// The queue was walked up to here.
    private(set) var walkedTo: QueuePlace?
    private var lines: [Int64: Line] = [:]
    /// The first places of devices whose next job may leave.
    private var ready = SortedQueue<Place>()

    /// Begins before the first job.
    /// - Parameters:
    ///   - leases: those that still hold.
    ///   - putOff: the notifications of jobs that were put off after a failure, by device.
    init(leases: PushLeases = PushLeases(), putOff: [Int64: [Int64]] = [:]) {
        self.leases = leases
        for (device, parts) in putOff { lines[device] = Line(holder: .putOff(parts)) }
        for (id, lease) in leases.all { lines[lease.place.device] = Line(holder: .lease(id)) }
    }

    /// What became of leases in this transaction is committed.
    mutating func commit() { leases.commit() }

    // MARK: Jobs that are due

    /// The walk has come to this job, which is due.
    mutating func found(_ place: Place) {
        walkedTo = place.position
        take(place)
    }

    /// A job was queued, or has another place now; one that lies ahead will be found.
    mutating func added(_ place: Place) {
        if let walkedTo, place.position <= walkedTo { take(place) }
    }

    private mutating func take(_ place: Place) {
        // By its place in the table, here and below: each look by name is a hash. And within it: a line that is taken
        // out is copied.
        guard let line = lines.index(forKey: place.device) else {
            var line = Line(isReady: true)
            line.take(place)
            lines[place.device] = line
            return ready.insert(place)
        }
        lines.values[line].take(place)
        call(line)
    }

    /// Lets the device's next job leave, if nothing holds it back; forgets a device without any.
    private mutating func call(_ device: Int64) {
        if let line = lines.index(forKey: device) { call(line) }
    }

    private mutating func call(_ line: Dictionary<Int64, Line>.Index) {
        switch lines.values[line].call() {
        case .stays: break
        case .isReady(let first): ready.insert(first)
        case .isEmpty: lines.remove(at: line)
        }
    }

    /// Takes out the next job that may leave; nil if the walk must go on. To be followed by
    /// ``begin(_:parts:leaving:until:)`` or ``pass(_:)``.
    ///
    /// Several may be out at once, each of another device. Nothing holds the line of one that is out: ``found(_:)`` or
    /// ``added(_:)`` of its device would let the next job leave beside it, and must not be called meanwhile.
    mutating func next() -> Place? {
        while let first = ready.popFirst() {
            // A device may have been forgotten since it was called.
            guard let line = lines.index(forKey: first.device) else { continue }
            if let place = lines.values[line].leave() { return place }
        }
        return nil
    }

    /// There was no job any more where ``next()`` pointed.
    mutating func pass(_ place: Place) { call(place.device) }

    // MARK: Leases

    /// Hands out the job at a place.
    /// - Parameters:
    ///   - parts: nil for the place's notification alone.
    ///   - leaving: as in ``PushLeases/Lease``.
    /// - Returns: the lease's number; its parts have the numbers from there on.
    mutating func begin(
        _ place: Place, parts: PushParts? = nil, leaving: [String] = [], until end: Timestamp
    ) -> Int64 {
        let id = leases.add(PushLeases.Lease(place: place, parts: parts, leaving: leaving, end: end))
        lines[place.device, default: Line()].holder = .lease(id)
        return id
    }

    /// Ends the leases whose time is over; their jobs may leave again.
    ///
    /// - Returns: those leases; what was to follow their jobs is known nowhere else.
    @discardableResult
    mutating func endLeases(at now: Timestamp) -> [PushLeases.Lease] {
        let ended = leases.removeEnded(at: now)
        for lease in ended { giveBack(lease) }
        return ended
    }

    /// Ends a lease without a result.
    mutating func giveBack(_ id: Int64) {
        if let lease = leases.remove(id) { giveBack(lease) }
    }

    private mutating func giveBack(_ lease: PushLeases.Lease) {
        lines[lease.place.device]?.holder = nil
        lines[lease.place.device]?.returning = lease.place
        call(lease.place.device)
    }

    /// The job is done, one way or the other.
    ///
    /// - Returns: its lease; nil if it was not on lease any more.
    @discardableResult
    mutating func end(_ id: Int64) -> PushLeases.Lease? {
        guard let lease = leases.remove(id) else { return nil }
        release(lease.place.device)
        return lease
    }

    /// Nothing of the device is on its way any more.
    private mutating func release(_ device: Int64) {
        guard let line = lines.index(forKey: device) else { return }
        lines.values[line].holder = nil
        call(line)
    }

    /// The job failed; what is left of it has other places now, and holds up its device until then.
    /// - Parameter places: of its parts, at least one.
    mutating func putOff(_ id: Int64, to places: [Place]) {
        guard let lease = leases.remove(id) else { return }
        lines[lease.place.device, default: Line()].holder = .putOff(places.map(\.notification))
        for place in places { added(place) }
    }

    /// As in ``PushLeases``.
    mutating func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        leases.cancelRenewals(upTo: seq, of: devices)
    }

    /// What the device's icon counts has shrunk.
    mutating func overtake(device: Int64) {
        if case .lease(let id)? = lines[device]?.holder { leases.overtake(id) }
    }

    /// A push of the same notification is to follow the one that is on its way.
    /// - Returns: false if none is.
    mutating func follow(with job: NewPushJob) -> Bool {
        guard case .lease(let id)? = lines[job.device]?.holder,
            leases[id]?.parts.contains(job.notification) ?? false
        else { return false }
        leases.follow(id, with: job)
        return true
    }

    func isOnLease(device: Int64, notification: Int64) -> Bool {
        guard case .lease(let id)? = lines[device]?.holder else { return false }
        return leases[id]?.parts.contains(notification) ?? false
    }

    // MARK: Jobs that went

    /// A job was cancelled that was not on lease.
    /// - Returns: whether that lets another one leave.
    mutating func cancelled(device: Int64, notification: Int64) -> Bool {
        guard case .putOff(var parts)? = lines[device]?.holder else { return false }
        parts.removeAll { $0 == notification }
        lines[device]?.holder = parts.isEmpty ? nil : .putOff(parts)
        call(device)
        return lines[device]?.isReady ?? false
    }

    /// The device is gone, or reached through another provider from now on, and all its jobs with it.
    ///
    /// - Returns: the lease of what is on its way to it, if anything is.
    @discardableResult
    mutating func forget(device: Int64) -> PushLeases.Lease? {
        guard let line = lines.removeValue(forKey: device), case .lease(let id)? = line.holder else { return nil }
        return leases.remove(id)
    }
}
