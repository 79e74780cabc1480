/// Decides for one origin which request uses which connection, and when connections begin and end.
///
/// Knows requests by tickets and connections by keys only. After each event, call ``next(at:)`` until it returns nil.
/// Call ``advance(to:jitter:)`` when ``nextDeadline`` has come.
struct HTTP2Pool {
    typealias Instant = ContinuousClock.Instant
    typealias Ticket = Int
    typealias ConnectionKey = Int

    private let settings: HTTP2ClientSettings
    private var tickets = HTTP2Tickets()
    private var line = HTTP2WaitingLine()
    private var members: HTTP2Members
    private var pause: HTTP2Pause
    /// Decisions that events have caused, in order; those from `taken` on are still to be taken.
    private var decisions: [Decision] = []
    private var taken = 0

    init(_ settings: HTTP2ClientSettings) {
        self.settings = settings
        members = HTTP2Members(settings)
        pause = HTTP2Pause(settings)
    }

    // MARK: Requests

    mutating func enter(deadline: Instant, at now: Instant) -> Entrance {
        if !pause.isOver(at: now), !members.canServe { return .unreachable }
        // In this order, because the streams need counting only if the line is long.
        guard line.count < settings.waitingRequests || line.count < settings.waitingRequests + members.freeStreams
        else { return .overloaded }
        let ticket = tickets.take(deadline: deadline)
        line.append(ticket)
        return .admitted(ticket)
    }

    /// A request's stream has ended.
    ///
    /// - Parameter wasAnswered: whether a response came, whatever its status.
    mutating func finished(_ ticket: Ticket, wasAnswered: Bool, at now: Instant) {
        if wasAnswered { pause.succeeded() }
        leaveConnection(ticket, wasAnswered: wasAnswered, at: now)
        tickets.release(ticket)
    }

    /// The server says that it did not process a request: its stream is above a GOAWAY's last stream, or was refused
    /// (RFC 9113 §8.7).
    mutating func refused(_ ticket: Ticket, at now: Instant) {
        let isSecond = tickets[ticket].refusedBy != nil
        tickets[ticket].refusedBy = leaveConnection(ticket, wasAnswered: false, at: now)
        if isSecond {
            fail(ticket, .refused)
        } else {
            tickets[ticket].phase = .waiting
            line.insertFirst(ticket)
        }
    }

    @discardableResult
    private mutating func leaveConnection(_ ticket: Ticket, wasAnswered: Bool, at now: Instant) -> ConnectionKey? {
        guard case .inFlight(let key, since: _) = tickets[ticket].phase, let index = members.index(of: key) else {
            return nil
        }
        members[index].ended(wasAnswered: wasAnswered, at: now)
        closeIfDrained(index)
        return key
    }

    private mutating func fail(_ ticket: Ticket, _ failure: Failure, on key: ConnectionKey? = nil) {
        tickets[ticket].phase = .leaving
        decisions.append(.fail(ticket, failure, on: key))
    }

    // MARK: Connections

    /// The server has sent its first bytes.
    mutating func connected(_ key: ConnectionKey, at now: Instant) {
        guard let index = members.index(of: key) else { return }
        members[index].phase = .serving
        members[index].liveness = HTTP2Liveness(settings, at: now)
    }

    /// The server has changed its number of allowed streams.
    mutating func limited(_ key: ConnectionKey, toStreams limit: Int) {
        if let index = members.index(of: key) { members[index].streamLimit = limit }
    }

    /// Bytes of any kind have arrived.
    mutating func heard(_ key: ConnectionKey, at now: Instant) {
        if let index = members.index(of: key) { members[index].liveness.heard(at: now) }
    }

    /// The server takes no new requests here. ``refused(_:at:)`` follows for each request that it did not process.
    mutating func wentAway(_ key: ConnectionKey) {
        guard let index = members.index(of: key) else { return }
        members[index].phase = .draining
        closeIfDrained(index)
    }

    /// The connection is gone, or was never established.
    ///
    /// - Parameter jitter: see ``HTTP2Pause/failed(at:jitter:)``.
    mutating func closed(_ key: ConnectionKey, at now: Instant, jitter: Double) {
        guard let index = members.index(of: key) else { return }
        // A server that accepts and hangs up counts as unreachable.
        if members[index].lastAnswer == nil { pause.failed(at: now, jitter: jitter) }
        remove(index)
    }

    private mutating func remove(_ index: Int) {
        let member = members.remove(at: index)
        guard member.inFlight > 0 else { return }
        for ticket in tickets.inFlight(on: member.key) { fail(ticket, .connectionLost) }
    }

    private mutating func closeIfDrained(_ index: Int) {
        guard members.isDrained(at: index) else { return }
        decisions.append(.close(members[index].key, .drained))
        remove(index)
    }

    // MARK: Time

    /// The latest time for the next ``advance(to:jitter:)``; may be too early, and then nothing is due.
    var nextDeadline: Instant? {
        // The end of a pause only matters for forgetting the origin.
        [tickets.earliestDeadline, members.nextDeadline].compactMap(\.self).min() ?? pause.end
    }

    /// Whether the pool has no state: no request, no connection, no failure that still counts.
    func isForgettable(at now: Instant) -> Bool { members.isEmpty && tickets.isEmpty && pause.isOver(at: now) }

    mutating func advance(to now: Instant, jitter: Double) {
        expireRequests(at: now)
        for key in members.keys {
            guard let index = members.index(of: key), members[index].nextDeadline <= now else { continue }
            if members[index].isConnecting {
                end(index, .connectTimeout)
                pause.failed(at: now, jitter: jitter)
                continue
            }
            switch members[index].liveness.due(at: now) {
            case .ping: decisions.append(.ping(key))
            case .dead: end(index, .dead)
            case .idle: end(index, .idle)
            case nil: break
            }
        }
    }

    private mutating func end(_ index: Int, _ ending: Ending) {
        decisions.append(.close(members[index].key, ending))
        remove(index)
    }

    private mutating func expireRequests(at now: Instant) {
        let expired = tickets.expired(at: now)
        guard !expired.isEmpty else { return }
        for (ticket, phase) in expired {
            guard case .inFlight(let key, let start) = phase else {
                fail(ticket, .timedOut)
                continue
            }
            // In this order, because the stream must be reset before its connection may be closed.
            fail(ticket, .timedOut, on: key)
            guard let index = members.index(of: key) else { continue }
            if isMute(members[index], since: start, at: now) { members[index].phase = .draining }
            members[index].ended(wasAnswered: false, at: now)
            closeIfDrained(index)
        }
        line.removeAll { [tickets] in tickets[$0].phase != .waiting }
    }

    /// Whether the peer has answered no request since `start`, long enough ago, even if it answers PINGs: the next
    /// request must not go to it.
    private func isMute(_ member: HTTP2Member, since start: Instant, at now: Instant) -> Bool {
        now - start >= settings.silence && (member.lastAnswer.map { $0 < start } ?? true)
    }

    // MARK: Decisions

    /// The next decision; nil if there is none.
    mutating func next(at now: Instant) -> Decision? {
        if let decision = takeDecision() { return decision }
        guard let ticket = line.next else { return nil }
        if let index = members.free(avoiding: tickets[ticket].refusedBy) {
            line.removeNext()
            members[index].began(at: now)
            tickets[ticket].phase = .inFlight(on: members[index].key, since: now)
            return .start(ticket, on: members[index].key)
        }
        guard pause.isOver(at: now) else {
            if members.canServe { return nil }
            line.removeNext()
            fail(ticket, .unreachable)
            return takeDecision()
        }
        return members.mayGrow ? .connect(members.append(at: now)) : nil
    }

    private mutating func takeDecision() -> Decision? {
        guard taken < decisions.count else { return nil }
        let decision = decisions[taken]
        taken += 1
        if taken == decisions.count {
            decisions.removeAll(keepingCapacity: true)
            taken = 0
        }
        if case .fail(let ticket, _, on: _) = decision { tickets.release(ticket) }
        return decision
    }
}
