import Inbox
import Storage

/// What became of pushes and is to be put to the store together: a commit of its own for each handful would take the
/// writer's time from the pushes, and from everybody else who writes.
struct OutcomeBatch {
    /// A device's next push waits for this, and a server that is killed meanwhile sends the push again.
    private static let longestWait = Duration.milliseconds(5)

    private var outcomes: [PushOutcome] = []
    /// When what is here is to go, however little it is; nil while nothing is.
    private(set) var deadline: Timestamp?

    mutating func add(_ more: [PushOutcome], at now: Timestamp) {
        guard !more.isEmpty else { return }
        deadline = deadline ?? now + Self.longestWait
        if outcomes.isEmpty { outcomes = more } else { outcomes += more }
    }

    /// Removes and returns them all, once they are as many as could still come soon, or have waited long enough.
    ///
    /// - Parameter underWay: pushes that are to be answered.
    mutating func takeDue(underWay: Int, at now: Timestamp) -> [PushOutcome]? {
        guard let deadline else { return nil }
        // Of a clock that was set back the deadline is far away.
        let hasTime = (deadline - Self.longestWait..<deadline).contains(now)
        return outcomes.count >= underWay || !hasTime ? takeAll() : nil
    }

    /// Removes and returns them all; nil without any.
    mutating func takeAll() -> [PushOutcome]? {
        guard deadline != nil else { return nil }
        deadline = nil
        return exchange(&outcomes, with: [])
    }
}
