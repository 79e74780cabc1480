import Inbox
import Push
import Store

/// When one service's pushes to Live Activities are handed out, and how many at once. No I/O; it belongs to its caller.
///
/// One activity's pushes follow each other, because the store hands out one at a time. Those of different activities keep
/// no order.
struct ActivityLane {
    enum Step: Hashable {
        case lease(limit: Int)
        /// Nothing to do before this time.
        case wait(until: Timestamp)
        /// Nothing to do before something happens.
        case rest
    }

    static let widest = 32
    /// How long after a failure of the store it is asked again.
    static let storePause = Duration.seconds(1)
    /// How long nothing is sent after a service has failed without a word of its own about when to come back.
    static let servicePause = Duration.seconds(5)
    /// How often to look for what another node has left.
    static let lookInterval = Duration.seconds(10)

    /// How many pushes are handed out and not settled.
    private(set) var underWay = 0
    /// How many may be.
    private(set) var width = widest
    private var isLeasing = false
    private var isClosed = false
    private var nextDue: Timestamp?
    private var pausedUntil: Timestamp?
    /// Told while pushes are handed out: the answer may not know of it.
    private var toldWhileLeasing: Timestamp?

    /// - Parameter now: when it looks for the first time.
    init(at now: Timestamp) { nextDue = now }

    /// A push is due at this time.
    mutating func expect(_ due: Timestamp) {
        if isLeasing { toldWhileLeasing = min(toldWhileLeasing ?? due, due) }
        nextDue = min(nextDue ?? due, due)
    }

    mutating func next(at now: Timestamp) -> Step {
        guard !isLeasing, !isClosed, underWay < width else { return .rest }
        let look = now + Self.lookInterval
        if let pausedUntil, pausedUntil > now { return .wait(until: min(pausedUntil, look)) }
        guard let nextDue, nextDue <= now else { return .wait(until: min(nextDue ?? look, look)) }
        isLeasing = true
        return .lease(limit: width - underWay)
    }

    /// - Returns: what to send.
    mutating func leased(_ result: Result<LeasedActivities, StoreError>, at now: Timestamp) -> [ActivityJob] {
        isLeasing = false
        let told = toldWhileLeasing
        toldWhileLeasing = nil
        guard case .success(let leased) = result else {
            nextDue = now + Self.storePause
            return []
        }
        nextDue = leased.nextDue
        if let told { nextDue = min(nextDue ?? told, told) }
        underWay += leased.jobs.count
        return leased.jobs
    }

    /// After a failure of the service one push at a time is tried, and each success lets one more go at once.
    mutating func judged(_ verdict: Verdict, at now: Timestamp) {
        switch verdict {
        case .accepted: width = min(width + 1, Self.widest)
        case .busy(let retryAfter, .provider, _):
            width = 1
            pausedUntil = max(pausedUntil ?? now, now + (retryAfter ?? Self.servicePause))
        // The service is well, and takes others.
        case .busy(_, .device, _), .deviceGone, .refused: break
        }
    }

    /// The store has an outcome, or could not take it. It tells a later due time with its commit.
    mutating func settled() { underWay -= 1 }

    /// Hands out nothing more.
    mutating func close() { isClosed = true }
}
