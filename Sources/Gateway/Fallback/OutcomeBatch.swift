import Inbox
import Store

/// Outcomes that the store takes together: a commit for each handful would take the writer's time from pushes and from
/// all other writes.
struct OutcomeBatch {
    /// A device's next push waits for this, and a server that is killed meanwhile sends the push again.
    private static let longestWait = Duration.milliseconds(5)

    private var outcomes: [PushOutcome] = []
    /// When even a few outcomes must go; nil without any.
    private(set) var deadline: Timestamp?

    mutating func add(_ more: [PushOutcome], at now: Timestamp) {
        guard !more.isEmpty else { return }
        deadline = deadline ?? now + Self.longestWait
        if outcomes.isEmpty { outcomes = more } else { outcomes += more }
    }

    /// Removes and returns all outcomes, once they are as many as may still come soon, or have waited long enough.
    ///
    /// - Parameter underWay: how many pushes are still to be answered.
    mutating func takeDue(underWay: Int, at now: Timestamp) -> [PushOutcome]? {
        guard let deadline else { return nil }
        // After the clock was set back, the deadline is far away.
        let hasTime = (deadline - Self.longestWait..<deadline).contains(now)
        return outcomes.count >= underWay || !hasTime ? takeAll() : nil
    }

    /// Removes and returns all outcomes; nil without any.
    mutating func takeAll() -> [PushOutcome]? {
        guard deadline != nil else { return nil }
        deadline = nil
        return exchange(&outcomes, with: [])
    }
}
