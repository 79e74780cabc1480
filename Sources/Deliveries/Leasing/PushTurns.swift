package import Inbox

/// Decides which due job of a provider leaves next. The jobs of a device leave one at a time, in the order in which
/// they are due. While one is put off after a failure, those behind it wait.
///
/// For one process that has the store: handing out a job writes nothing, and a crash ends all leases. The queue is walked once, from the earliest job on. A job that cannot leave yet is kept in its device's line, so
/// that one device's long backlog is not walked again for every lease. Places are never removed from a line when their
/// jobs go, so a place that leaves it must be checked against the table.
package struct PushTurns: Sendable {
    /// A job and its position. Once the job is gone, another may have the position.
    package struct Place: Sendable, Hashable, Comparable {
        package let position: QueuePlace
        package let number: PushJobNumber

        package init(position: QueuePlace, number: PushJobNumber) { (self.position, self.number) = (position, number) }

        package init(position: QueuePlace, device: Int64, notification: Int64) {
            self.init(position: position, number: PushJobNumber(device: device, notification: notification))
        }

        package var availableAt: Timestamp { position.availableAt }
        package var device: Int64 { number.device }
        package var notification: Int64 { number.notification }

        package static func < (one: Self, other: Self) -> Bool {
            one.position == other.position ? one.number.rawValue < other.number.rawValue : one.position < other.position
        }
    }

    private enum Holder: Sendable {
        case lease(Int64)
        /// The parts of a job that was put off after a failure.
        case putOff([Int64])
    }

    private struct Line: Sendable {
        /// The reason why nothing of the device may leave.
        var holder: Holder?
        /// A job that was handed out before and goes first.
        var returning: Place?
        var waiting = SortedQueue<Place>()
        var isReady = false

        /// The state of a line after something has happened to it.
        enum Call {
            case stays
            /// The line's next job may leave.
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

        /// Removes and returns the next job; nil for a line that is not ready.
        mutating func leave() -> Place? {
            guard isReady else { return nil }
            isReady = false
            return returning.take() ?? waiting.popFirst()
        }

        /// Adds a due job.
        mutating func take(_ place: Place) {
            if case .putOff(let parts)? = holder, parts.contains(place.notification) {
                holder = nil
                returning = place
            } else {
                waiting.insert(place)
            }
        }
    }

    /// Outlives the loss of all else: a rollback takes no lease from its sender.
    package private(set) var leases: PushLeases
    /// How far the queue was walked.
    package private(set) var walkedTo: QueuePlace?
    private var lines: [Int64: Line] = [:]
    /// The first places of ready lines.
    private var ready = SortedQueue<Place>()

    /// Begins before the first job.
    /// - Parameters:
    ///   - leases: those that still hold.
    ///   - putOff: the notifications of jobs that were put off after a failure, by device.
    package init(leases: PushLeases = PushLeases(), putOff: [Int64: [Int64]] = [:]) {
        self.leases = leases
        for (device, parts) in putOff { lines[device] = Line(holder: .putOff(parts)) }
        for (id, lease) in leases.all { lines[lease.place.device] = Line(holder: .lease(id)) }
    }

    /// Makes the changes of leases in this transaction final.
    package mutating func commit() { leases.commit() }

    // MARK: Jobs that are due

    /// Takes in a due job that the walk has come to.
    package mutating func found(_ place: Place) {
        walkedTo = place.position
        take(place)
    }

    /// Takes in a job that was queued or moved, unless the walk will still find it.
    package mutating func added(_ place: Place) {
        if let walkedTo, place.position <= walkedTo { take(place) }
    }

    private mutating func take(_ place: Place) {
        // By index, here and below: each look by key hashes, and taking a line out copies it.
        guard let line = lines.index(forKey: place.device) else {
            var line = Line(isReady: true)
            line.take(place)
            lines[place.device] = line
            return ready.insert(place)
        }
        lines.values[line].take(place)
        call(line)
    }

    /// Lets the device's next job leave if nothing holds it back; forgets a device without jobs.
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

    /// Removes and returns the next job that may leave; nil if the walk must go on. To be followed by
    /// ``begin(_:parts:leaving:until:)`` or ``pass(_:)``.
    ///
    /// Several jobs may be out at once, each of another device. A line whose job is out is not held: ``found(_:)`` or
    /// ``added(_:)`` of its device would let the next job leave, too, and must not be called meanwhile.
    package mutating func next() -> Place? {
        while let first = ready.popFirst() {
            // The device may have been forgotten since its line became ready.
            guard let line = lines.index(forKey: first.device) else { continue }
            if let place = lines.values[line].leave() { return place }
        }
        return nil
    }

    /// Goes on after ``next()`` returned a place whose job is gone.
    package mutating func pass(_ place: Place) { call(place.device) }

    // MARK: Leases

    /// Hands out the job at a place.
    /// - Parameters:
    ///   - parts: nil for the place's notification alone.
    ///   - leaving: as in ``PushLeases/Lease``.
    /// - Returns: the lease's number; its parts have the numbers from there on.
    package mutating func begin(
        _ place: Place, parts: PushParts? = nil, leaving: [String] = [], until end: Timestamp
    ) -> Int64 {
        let id = leases.add(PushLeases.Lease(place: place, parts: parts, leaving: leaving, end: end))
        lines[place.device, default: Line()].holder = .lease(id)
        return id
    }

    /// Ends the leases whose time is over, so that their jobs may leave again.
    ///
    /// - Returns: those leases, which alone know the pushes that were to follow.
    @discardableResult
    package mutating func endLeases(at now: Timestamp) -> [PushLeases.Lease] {
        let ended = leases.removeEnded(at: now)
        for lease in ended { giveBack(lease) }
        return ended
    }

    /// Ends a lease without a result.
    package mutating func giveBack(_ id: Int64) {
        if let lease = leases.remove(id) { giveBack(lease) }
    }

    private mutating func giveBack(_ lease: PushLeases.Lease) {
        lines[lease.place.device]?.holder = nil
        lines[lease.place.device]?.returning = lease.place
        call(lease.place.device)
    }

    /// Ends the lease of a job that is done, in whatever way.
    ///
    /// - Returns: its lease; nil if that was over.
    @discardableResult
    package mutating func end(_ id: Int64) -> PushLeases.Lease? {
        guard let lease = leases.remove(id) else { return nil }
        release(lease.place.device)
        return lease
    }

    /// Notes that nothing is on its way to the device any more.
    private mutating func release(_ device: Int64) {
        guard let line = lines.index(forKey: device) else { return }
        lines.values[line].holder = nil
        call(line)
    }

    /// Ends the lease of a failed job. The rest of the job has other places now, and holds up its device until then.
    /// - Parameter places: those of its parts, at least one.
    package mutating func putOff(_ id: Int64, to places: [Place]) {
        guard let lease = leases.remove(id) else { return }
        lines[lease.place.device, default: Line()].holder = .putOff(places.map(\.notification))
        for place in places { added(place) }
    }

    /// See ``PushLeases/cancelRenewals(upTo:of:)``.
    package mutating func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        leases.cancelRenewals(upTo: seq, of: devices)
    }

    /// Notes that the number on the device's icon has to shrink.
    package mutating func overtake(device: Int64) {
        if case .lease(let id)? = lines[device]?.holder { leases.overtake(id) }
    }

    /// Lets a push of the same notification follow the one that is on its way.
    /// - Returns: false if none is on its way.
    package mutating func follow(with job: NewPushJob) -> Bool {
        guard case .lease(let id)? = lines[job.device]?.holder,
            leases[id]?.parts.contains(job.notification) ?? false
        else { return false }
        leases.follow(id, with: job)
        return true
    }

    package func isOnLease(device: Int64, notification: Int64) -> Bool {
        guard case .lease(let id)? = lines[device]?.holder else { return false }
        return leases[id]?.parts.contains(notification) ?? false
    }

    // MARK: Jobs that went

    /// Notes that a job was cancelled which was not on lease.
    /// - Returns: whether another job may leave now.
    package mutating func cancelled(device: Int64, notification: Int64) -> Bool {
        guard case .putOff(var parts)? = lines[device]?.holder else { return false }
        parts.removeAll { $0 == notification }
        lines[device]?.holder = parts.isEmpty ? nil : .putOff(parts)
        call(device)
        return lines[device]?.isReady ?? false
    }

    /// Forgets a device, with all its jobs, that is gone or now reached through another provider.
    ///
    /// - Returns: the lease of a push that is on its way to it; nil if there is none.
    @discardableResult
    package mutating func forget(device: Int64) -> PushLeases.Lease? {
        guard let line = lines.removeValue(forKey: device), case .lease(let id)? = line.holder else { return nil }
        return leases.remove(id)
    }
}
