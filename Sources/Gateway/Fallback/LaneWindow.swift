import Inbox

/// How many requests to one provider may be under way.
///
/// Begins small and doubles each round trip until the provider first has trouble. From then on it grows by one each
/// round trip. When an eighth of it fails, it is halved, at most once a round trip (additive increase, multiplicative
/// decrease, as in RFC 5681). Single failures do not count: a service that answers one request in a hundred with 500 is
/// not overloaded.
struct LaneWindow {
    private let initial: Double
    private let maximum: Double
    private var level: Double
    /// Below this it doubles.
    private var threshold: Double
    /// Earlier requests were sent before the window was last halved: their failures are not news.
    private var firstThatCounts = 0
    /// The first request of the round trip after this one.
    private var roundEnd = 0
    private var failuresOfRound = 0

    init(initial: Int, maximum: Int) {
        self.maximum = Double(max(maximum, 1))
        self.initial = min(Double(max(initial, 1)), self.maximum)
        level = self.initial
        threshold = self.maximum
    }

    var size: Int { Int(level) }

    /// - Parameters:
    ///   - underWay: the number of requests, this one included.
    ///   - next: the number that the next request will get.
    mutating func succeeded(_ ticket: LaneTicket, underWay: Int, next: Int) {
        passRound(ticket, next: next)
        // An unused window proves nothing.
        guard underWay * 2 >= size else { return }
        level = min(level + (level < threshold ? 1 : 1 / level), maximum)
    }

    /// See ``succeeded(_:underWay:next:)``.
    mutating func failed(_ ticket: LaneTicket, next: Int) {
        passRound(ticket, next: next)
        guard ticket.number >= firstThatCounts else { return }
        failuresOfRound += 1
        if failuresOfRound >= max(2, size / 8) { halve(next: next) }
    }

    /// Begins again small, as the provider is back after a pause.
    mutating func restart(next: Int) {
        halve(next: next)
        level = min(level, initial)
    }

    private mutating func halve(next: Int) {
        level = max(level / 2, 1)
        threshold = level
        firstThatCounts = next
        roundEnd = next
        failuresOfRound = 0
    }

    private mutating func passRound(_ ticket: LaneTicket, next: Int) {
        guard ticket.number >= roundEnd else { return }
        roundEnd = next
        failuresOfRound = 0
    }
}
