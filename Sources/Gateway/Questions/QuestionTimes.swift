import Inbox
import Store

/// When questions whose time is over are settled. No I/O; it belongs to its caller.
///
/// It knows the next such time from commits and from the store, so that without one it has nothing to do. It sleeps for
/// a while at most, as the wall clock, which ends a question's time, may be set.
struct QuestionTimes {
    enum Step: Hashable {
        case settle
        case wait(until: Timestamp)
        /// Nothing to do before something happens.
        case rest
    }

    static let longestSleep = Duration.seconds(30)
    /// How long after a failure of the store it is asked again.
    static let storePause = Duration.seconds(1)
    /// How often the node on duty looks for questions of nodes that are gone.
    static let lookInterval = Duration.seconds(10)

    private var nextDue: Timestamp?
    private var isSettling = false
    private var isClosed = false
    /// Told while the store settles: its answer may not know of it.
    private var toldMeanwhile: Timestamp?
    private var lookedAt: Timestamp

    /// - Parameter now: when it looks for the first time.
    init(at now: Timestamp) { (nextDue, lookedAt) = (now, now) }

    /// A question's time is over at this time.
    mutating func expect(_ due: Timestamp) {
        if isSettling { toldMeanwhile = min(toldMeanwhile ?? due, due) }
        nextDue = min(nextDue ?? due, due)
    }

    /// This node is on duty; to be called often.
    mutating func onDuty(at now: Timestamp) {
        // Also where the clock was set back.
        guard now - lookedAt >= Self.lookInterval || now < lookedAt else { return }
        expect(now)
    }

    mutating func next(at now: Timestamp) -> Step {
        guard !isSettling, !isClosed, let nextDue else { return .rest }
        guard nextDue <= now else { return .wait(until: min(nextDue, now + Self.longestSleep)) }
        (isSettling, lookedAt) = (true, now)
        return .settle
    }

    mutating func settled(_ result: Result<SettledQuestions, StoreError>, at now: Timestamp) {
        isSettling = false
        let told = toldMeanwhile
        toldMeanwhile = nil
        guard case .success(let settled) = result else {
            nextDue = now + Self.storePause
            return
        }
        nextDue = settled.nextDue
        if let told { nextDue = min(nextDue ?? told, told) }
    }

    mutating func close() { isClosed = true }
}
