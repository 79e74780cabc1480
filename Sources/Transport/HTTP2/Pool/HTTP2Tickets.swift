/// The requests of a pool by number; the number of a request that has ended is used again.
struct HTTP2Tickets {
    typealias Instant = ContinuousClock.Instant

    enum Phase: Equatable {
        case free
        case waiting
        case inFlight(on: HTTP2Pool.ConnectionKey, since: Instant)
        /// The request has ended, and its owner is about to be told.
        case leaving
    }

    struct Entry {
        var phase = Phase.free
        var deadline: Instant
        /// The connection that sent the request back unprocessed; a second time ends the request.
        var refusedBy: HTTP2Pool.ConnectionKey?
    }

    private var entries: [Entry] = []
    private var free: [HTTP2Pool.Ticket] = []
    /// Not later than any deadline; may be too early after its request has left.
    private(set) var earliestDeadline: Instant?

    /// Whether there is no request at all.
    var isEmpty: Bool { free.count == entries.count }

    subscript(ticket: HTTP2Pool.Ticket) -> Entry {
        get { entries[ticket] }
        _modify { yield &entries[ticket] }
    }

    mutating func take(deadline: Instant) -> HTTP2Pool.Ticket {
        if earliestDeadline.map({ deadline < $0 }) ?? true { earliestDeadline = deadline }
        let entry = Entry(phase: .waiting, deadline: deadline)
        if let ticket = free.popLast() {
            entries[ticket] = entry
            return ticket
        }
        entries.append(entry)
        return entries.count - 1
    }

    mutating func release(_ ticket: HTTP2Pool.Ticket) {
        entries[ticket].phase = .free
        free.append(ticket)
        if isEmpty { earliestDeadline = nil }
    }

    /// The requests whose time is over, in no order.
    mutating func expired(at now: Instant) -> [(ticket: HTTP2Pool.Ticket, phase: Phase)] {
        guard let earliestDeadline, earliestDeadline <= now else { return [] }
        self.earliestDeadline = nil
        var expired: [(HTTP2Pool.Ticket, Phase)] = []
        for (ticket, entry) in entries.enumerated() {
            switch entry.phase {
            case .free, .leaving: continue
            case .waiting, .inFlight:
                if entry.deadline <= now {
                    expired.append((ticket, entry.phase))
                } else if self.earliestDeadline.map({ entry.deadline < $0 }) ?? true {
                    self.earliestDeadline = entry.deadline
                }
            }
        }
        return expired
    }

    func inFlight(on key: HTTP2Pool.ConnectionKey) -> [HTTP2Pool.Ticket] {
        entries.indices.filter { ticket in
            if case .inFlight(on: key, since: _) = entries[ticket].phase { true } else { false }
        }
    }
}
