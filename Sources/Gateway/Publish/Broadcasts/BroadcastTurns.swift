import Store

/// Decides which event's next page is delivered: one page at a time, the events in turn.
struct BroadcastTurns {
    enum Step: Hashable {
        /// Deliver the next page of this event.
        case deliver(String)
        /// Deliver nothing before this moment.
        case wait(until: ContinuousClock.Instant)
        /// A page is under way, or there is nothing to do.
        case rest
    }

    private struct Turn {
        let event: String
        var failures = 0
        /// The earliest moment after a failure.
        var notBefore: ContinuousClock.Instant?
    }

    private static let firstDelay = Duration.milliseconds(50)
    private static let longestDelay = Duration.seconds(30)

    private var waiting: [Turn] = []
    private var underWay: Turn?

    /// Adds an event; an event that is already here keeps its place.
    /// - Returns: whether the event is new here.
    @discardableResult
    mutating func add(_ event: String) -> Bool {
        guard underWay?.event != event, !waiting.contains(where: { $0.event == event }) else { return false }
        waiting.append(Turn(event: event))
        return true
    }

    mutating func next(at now: ContinuousClock.Instant) -> Step {
        guard underWay == nil else { return .rest }
        if let index = waiting.firstIndex(where: { $0.notBefore.map { $0 <= now } ?? true }) {
            let turn = waiting.remove(at: index)
            underWay = turn
            return .deliver(turn.event)
        }
        return waiting.compactMap(\.notBefore).min().map { .wait(until: $0) } ?? .rest
    }

    /// Notes that the page under way is committed.
    ///
    /// - Parameter isOver: whether it was the event's last page.
    mutating func delivered(isOver: Bool) {
        guard let turn = underWay else { return }
        underWay = nil
        if !isOver { waiting.append(Turn(event: turn.event)) }
    }

    /// Notes that the page under way was not written. It is tried again, each time after twice as long; others go on.
    mutating func failed(at now: ContinuousClock.Instant) {
        guard var turn = underWay else { return }
        underWay = nil
        let delay = Self.firstDelay * (1 << min(turn.failures, 10))
        turn.failures += 1
        turn.notBefore = now + min(delay, Self.longestDelay)
        waiting.append(turn)
    }
}
