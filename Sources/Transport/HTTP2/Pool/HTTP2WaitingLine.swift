/// The requests that wait for a stream, in the order in which they came.
struct HTTP2WaitingLine {
    /// In order, valid from `first` on; earlier ones have left.
    private var line: [HTTP2Pool.Ticket] = []
    private var first = 0
    /// Requests that must have a second turn; the next one is last.
    private var again: [HTTP2Pool.Ticket] = []

    var count: Int { line.count - first + again.count }
    var next: HTTP2Pool.Ticket? { again.last ?? (first < line.count ? line[first] : nil) }

    mutating func append(_ ticket: HTTP2Pool.Ticket) { line.append(ticket) }

    mutating func insertFirst(_ ticket: HTTP2Pool.Ticket) { again.append(ticket) }

    mutating func removeNext() {
        if again.popLast() != nil { return }
        first += 1
        // The rest is moved only when half has left, so that the cost of leaving stays constant.
        if first * 2 >= line.count { compact() }
    }

    mutating func removeAll(where isLeaving: (HTTP2Pool.Ticket) -> Bool) {
        compact()
        line.removeAll(where: isLeaving)
        again.removeAll(where: isLeaving)
    }

    private mutating func compact() {
        line.removeFirst(first)
        first = 0
    }
}
