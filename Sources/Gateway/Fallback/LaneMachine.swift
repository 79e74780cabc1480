import Inbox

/// The order of events in one provider's lane: when to ask the store for jobs, when to send one, when to hold back.
///
/// It counts jobs and never sees one. Its owner reports every event, and then performs the actions of ``next(at:)``
/// until that returns nil.
struct LaneMachine {
    enum Action: Hashable {
        /// Ask the store for at most so many jobs.
        case lease(Int)
        /// Send the oldest job at hand.
        case send(LaneTicket)
        /// Give the oldest jobs at hand back to the store, untried.
        case release(Int)
        /// Try again to settle outcomes that the store did not take.
        case settleAgain
        /// Call ``woke()`` then, instead of at an earlier named time; nil: not at all.
        case wake(at: Timestamp?)
    }

    struct Limits: Sendable {
        /// How many requests are under way, at the start and at most.
        var initialWindow = 10
        var maximumWindow = 200
        /// How long sending may take, with ten seconds to fetch a token: a job's lease must not end before its answer.
        var requestTimeout = ProviderClient.timeout + .seconds(10)
        /// How long a lease lasts.
        var lease = Duration.seconds(60)
    }

    /// Jobs at hand from one lease.
    private struct Batch {
        var count: Int
        /// Jobs sent later might be handed out again before they are answered.
        var sendBy: Timestamp
    }

    /// A device's jobs come one by one: the lane looks for the next ones after settling, but not after each job.
    private static let settlingLinger = Duration.milliseconds(10)
    private static let storePause = Duration.seconds(1)
    /// The most jobs at hand, in windows.
    private static let windowsAhead = 5
    /// With so many full windows answered but not settled, the store is behind and is not asked for more.
    private static let windowsSettling = 8
    /// The time that may pass between the decision to send and the sending.
    private static let leaseMargin = Duration.seconds(10)

    private let limits: Limits
    private(set) var window: LaneWindow
    private(set) var gate = LaneGate()
    private var batches: [Batch] = []
    private(set) var underWay = 0
    /// Answered, but not settled yet.
    private(set) var settling = 0
    private var nextNumber = 0
    private var isLeasing = false
    private var asked = 0
    /// How many jobs a quick service needs at hand so that it does not wait for the store; learnt from earlier leases.
    private var learntAhead = 0
    /// Whether there were jobs when the store was asked for more.
    private var wasBusy = false
    /// Whether jobs went back since the store last answered: then their absence says nothing of the service's pace.
    private var hasReleased = false
    /// When to ask the store for jobs; nil if none are expected.
    private var dueAt: Timestamp?
    /// The store did not take an outcome; jobs that it hands out now might include that very job.
    private var storeFails = false
    private var settleAgainAt: Timestamp?
    private var plannedWake: Timestamp?
    private var isStopped = false

    init(_ limits: Limits) {
        self.limits = limits
        window = LaneWindow(initial: limits.initialWindow, maximum: limits.maximumWindow)
    }

    /// Jobs that are leased but not under way.
    var atHand: Int { batches.reduce(0) { $0 + $1.count } }

    // MARK: Events

    /// Notes that jobs may be due then.
    mutating func expect(_ due: Timestamp) { dueAt = min(dueAt ?? due, due) }

    /// Takes in the store's answer.
    ///
    /// - Parameter nextDue: as in ``LeasedPushJobs``.
    mutating func leased(_ count: Int, nextDue: Timestamp?, at now: Timestamp) {
        isLeasing = false
        if !hasReleased { learn(from: count) }
        hasReleased = false
        if count > 0 { batches.append(Batch(count: count, sendBy: sendBy(now))) }
        if let nextDue { expect(nextDue) }
        // There may be more, as this was all that was asked for.
        if count >= asked { expect(now) }
    }

    mutating func leaseFailed(at now: Timestamp) {
        isLeasing = false
        expect(now + Self.storePause)
    }

    /// - Parameter jitter: uniform in `0..<1`.
    mutating func answered(_ ticket: LaneTicket, _ answer: LaneAnswer, at now: Timestamp, jitter: Double) {
        switch answer {
        case .works: window.succeeded(ticket, underWay: underWay, next: nextNumber)
        case .fails: window.failed(ticket, next: nextNumber)
        }
        underWay -= 1
        settling += 1
        let opens = gate.answered(ticket, answer, next: nextNumber, at: now, jitter: jitter)
        if opens { window.restart(next: nextNumber) }
    }

    /// Notes that the store took so many outcomes, or that nobody tries any more to store them.
    mutating func settled(_ count: Int = 1, at now: Timestamp) {
        storeFails = false
        settling -= count
        expect(now + Self.settlingLinger)
    }

    /// Notes that the store did not take outcomes, which are to be tried again.
    mutating func settleFailed(at now: Timestamp) {
        storeFails = true
        settleAgainAt = settleAgainAt ?? now + Self.storePause
    }

    /// Moves all times, as the clock was set and the store has followed.
    mutating func move(by span: Duration, to now: Timestamp) {
        gate.move(by: span)
        for place in batches.indices { batches[place].sendBy = batches[place].sendBy + span }
        settleAgainAt = settleAgainAt.map { $0 + span }
        plannedWake = nil
        // Jobs with a time of the calendar may now be due sooner or later, which the store knows.
        dueAt = now
    }

    mutating func woke() { plannedWake = nil }

    /// Begins nothing more; outcomes of requests under way are still settled.
    mutating func stop() { isStopped = true }

    // MARK: Decisions

    /// The next action; to be called until it returns nil.
    mutating func next(at now: Timestamp) -> Action? {
        guard !isStopped else { return nil }
        gate.pass(to: now)
        if let time = settleAgainAt, time <= now {
            settleAgainAt = nil
            return .settleAgain
        }
        let allowance = gate.allowance(at: now)
        if let action = nextForJobs(allowance, at: now) ?? nextLease(allowance, at: now) { return action }
        let wake = wantedWake(at: now)
        guard wake != plannedWake else { return nil }
        plannedWake = wake
        return .wake(at: wake)
    }

    private mutating func nextForJobs(_ allowance: Int, at now: Timestamp) -> Action? {
        guard let first = batches.first else { return nil }
        let hasRoom: Bool
        switch gate.state {
        // Waiting jobs stay in the store, where they can be cancelled and take no memory.
        case .paused, .probing(.some): return release(atHand, at: now)
        case .probing(nil): hasRoom = true
        case .open, .opening: hasRoom = underWay < window.size && allowance > 0
        }
        if first.sendBy <= now { return release(first.count, at: now) }
        guard hasRoom else { return nil }
        take(1)
        underWay += 1
        let ticket = LaneTicket(number: nextNumber, sentAt: now)
        nextNumber += 1
        gate.sent(ticket)
        return .send(ticket)
    }

    private mutating func release(_ count: Int, at now: Timestamp) -> Action {
        take(count)
        expect(now)
        hasReleased = true
        return .release(count)
    }

    private mutating func nextLease(_ allowance: Int, at now: Timestamp) -> Action? {
        let isBehind = settling >= limits.maximumWindow * Self.windowsSettling
        guard !isLeasing, !storeFails, !isBehind, let due = dueAt, due <= now else { return nil }
        let held = atHand + underWay
        let wanted: Int
        switch gate.state {
        case .paused, .probing(.some): return nil
        case .probing(nil): wanted = 1
        case .opening: wanted = min(window.size - held, allowance - atHand)
        case .open:
            let room = window.size + ahead - held
            wanted = held == 0 || room >= ahead / 2 ? room : 0
        }
        guard wanted > 0 else { return nil }
        isLeasing = true
        wasBusy = held > 0
        asked = wanted
        dueAt = nil
        return .lease(wanted)
    }

    /// How many jobs are to be at hand: half a window, or as many as were learnt.
    private var ahead: Int { max(window.size / 2, min(learntAhead, window.size * Self.windowsAhead)) }

    /// Learns from the store's answer, which was asked for when half of the jobs were gone. If the other half is gone,
    /// too, and there are more, the next lease is twice as large. If most jobs are left, the next is smaller: jobs at
    /// hand can no longer be cancelled.
    private mutating func learn(from count: Int) {
        if atHand == 0, wasBusy, count >= asked {
            learntAhead = 2 * ahead
        } else if atHand > ahead / 4 {
            learntAhead = learntAhead * 3 / 4
        }
    }

    private func wantedWake(at now: Timestamp) -> Timestamp? {
        var wake = settleAgainAt
        func consider(_ time: Timestamp) { wake = min(wake ?? time, time) }
        // Overdue jobs wait for room, not for time.
        if let dueAt, dueAt > now, !isLeasing { consider(dueAt) }
        if dueAt != nil || !batches.isEmpty, let change = gate.nextChange(after: now) { consider(change) }
        if let batch = batches.first { consider(batch.sendBy) }
        return wake
    }

    private mutating func take(_ count: Int) {
        var rest = count
        while rest > 0, let first = batches.first {
            let part = min(rest, first.count)
            rest -= part
            batches[0].count -= part
            if batches[0].count == 0 { batches.removeFirst() }
        }
    }

    private func sendBy(_ now: Timestamp) -> Timestamp {
        now + max(limits.lease - limits.requestTimeout - Self.leaseMargin, .zero)
    }
}
