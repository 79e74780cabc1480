/// Decides which request may leave: limits the requests in flight and in line, and lets none leave after its deadline.
///
/// Knows requests by tickets only.
struct HTTPRequestQueue {
    private struct Waiting {
        let ticket: Int
        let deadline: ContinuousClock.Instant
    }

    private let maximumInFlight: Int
    private let maximumWaiting: Int
    private(set) var inFlight = 0
    /// In order, valid from `first` on; earlier ones have left.
    private var line: [Waiting] = []
    private var first = 0
    /// Not later than any deadline in line; may be too early after its request has left.
    private(set) var earliestDeadline: ContinuousClock.Instant?

    init(maximumInFlight: Int, maximumWaiting: Int) {
        self.maximumInFlight = maximumInFlight
        self.maximumWaiting = maximumWaiting
    }

    /// False if the line is full.
    mutating func enter(_ ticket: Int, deadline: ContinuousClock.Instant) -> Bool {
        guard inFlight < maximumInFlight || line.count - first < maximumWaiting else { return false }
        line.append(Waiting(ticket: ticket, deadline: deadline))
        earliestDeadline = min(earliestDeadline ?? deadline, deadline)
        return true
    }

    /// The next request that may leave; it counts as in flight from now on.
    mutating func start() -> Int? {
        guard inFlight < maximumInFlight, first < line.count else { return nil }
        let ticket = line[first].ticket
        inFlight += 1
        first += 1
        // The rest is moved only when half has left, so that the cost of leaving stays constant.
        if first * 2 >= line.count { compact() }
        return ticket
    }

    /// A request in flight has ended.
    mutating func finish() { inFlight -= 1 }

    /// Removes and returns the requests that waited too long.
    mutating func expire(at now: ContinuousClock.Instant) -> [Int] {
        guard let earliestDeadline, earliestDeadline <= now else { return [] }
        compact()
        let expired = line.filter { $0.deadline <= now }.map(\.ticket)
        line.removeAll { $0.deadline <= now }
        self.earliestDeadline = line.map(\.deadline).min()
        return expired
    }

    /// Removes and returns all waiting requests.
    mutating func removeAll() -> [Int] {
        compact()
        defer { line = [] }
        earliestDeadline = nil
        return line.map(\.ticket)
    }

    private mutating func compact() {
        line.removeFirst(first)
        first = 0
        if line.isEmpty { earliestDeadline = nil }
    }
}
