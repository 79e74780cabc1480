import Inbox
import Store

/// When what waits in the store for one receiver is handed out, and how much at once. No I/O; it belongs to its caller.
///
/// After a failure one at a time is tried, and each success lets one more go at once. Nothing keeps an order here.
struct LeaseLane {
    enum Step: Hashable {
        case lease(limit: Int)
        /// Nothing to do before this time.
        case wait(until: Timestamp)
        /// Nothing to do before something happens.
        case rest
    }

    /// How long after a failure of the store it is asked again.
    static let storePause = Duration.seconds(1)

    private let widest: Int
    private let lookInterval: Duration
    /// How many are handed out and not settled.
    private(set) var underWay = 0
    /// How many may be.
    private var width: Int
    private var isLeasing = false
    private var isClosed = false
    private var nextDue: Timestamp?
    private var pausedUntil: Timestamp?
    /// Told while something is handed out: the answer may not know of it.
    private var toldWhileLeasing: Timestamp?

    /// - Parameters:
    ///   - now: when it looks for the first time.
    ///   - widest: how many may be under way at most.
    ///   - lookInterval: how often to look for what another node has left.
    init(at now: Timestamp, widest: Int, lookInterval: Duration) {
        (self.widest, width, self.lookInterval, nextDue) = (widest, widest, lookInterval, now)
    }

    /// Something is due at this time.
    mutating func expect(_ due: Timestamp) {
        if isLeasing { toldWhileLeasing = min(toldWhileLeasing ?? due, due) }
        nextDue = min(nextDue ?? due, due)
    }

    mutating func next(at now: Timestamp) -> Step {
        guard !isLeasing, !isClosed, underWay < width else { return .rest }
        let look = now + lookInterval
        if let pausedUntil, pausedUntil > now { return .wait(until: min(pausedUntil, look)) }
        guard let nextDue, nextDue <= now else { return .wait(until: min(nextDue ?? look, look)) }
        isLeasing = true
        return .lease(limit: width - underWay)
    }

    /// The store has handed out so many, or nothing, and has more at `next`.
    mutating func leased(_ count: Int, next: Timestamp?) {
        underWay += count
        endLeasing(next)
    }

    mutating func storeFailed(at now: Timestamp) { endLeasing(now + Self.storePause) }

    private mutating func endLeasing(_ next: Timestamp?) {
        isLeasing = false
        nextDue = [next, toldWhileLeasing].compactMap(\.self).min()
        toldWhileLeasing = nil
    }

    /// The receiver has taken one.
    mutating func succeeded() { width = min(width + 1, widest) }

    /// The receiver fails: it gets nothing until then, and then one at a time.
    mutating func failed(until time: Timestamp) {
        width = 1
        pausedUntil = max(pausedUntil ?? time, time)
    }

    /// The store has an outcome, or could not take it.
    ///
    /// - Parameter due: when it is due again; nil if it is not, is leased until its lease ends, or is told by a commit.
    mutating func settled(due: Timestamp? = nil) {
        underWay -= 1
        if let due { expect(due) }
    }

    /// Moves all times, as the clock was set and the store has followed.
    mutating func move(by span: Duration, to now: Timestamp) {
        pausedUntil = pausedUntil.map { $0 + span }
        nextDue = nextDue.map { $0 + span }
        toldWhileLeasing = toldWhileLeasing.map { $0 + span }
        // An answer under way may tell a time of the clock before.
        expect(now)
    }

    /// Hands out nothing more.
    mutating func close() { isClosed = true }
}
