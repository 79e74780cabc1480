import Store

/// What to publish next of the events that applications have left in the database, what becomes of it, and when to look
/// again.
///
/// A pure machine: its owner takes the step that each call returns, and tells what came of it.
struct OutboxMachine {
    enum Step: Hashable {
        /// To be followed by ``OutboxMachine/wake(isOnDuty:)``.
        case wait(Duration)
        case read(rows: Int, bytes: Int)
        /// Publish them, or the first of them, in this order.
        case publish([OutboxRow])
        case settle(OutboxSettlement)
    }

    /// What came of a step ``Step/publish(_:)``.
    enum Answer: Hashable {
        /// What became of at least one of the rows. The others are as they were.
        case told(OutboxSettlement)
        /// The store has failed, and nothing is kept: one of the rows may be the cause.
        case failed
        /// Nothing is taken in at the moment, whatever the rows.
        case unavailable
        /// The publisher has no room for so long.
        case full(Duration)
    }

    private static let mostRows = 100
    private static let firstRows = 10
    /// A publish that takes longer was of too many rows: other publishers wait for its transaction.
    private static let slow = Duration.milliseconds(250)
    private static let mostBytes = 1 << 20
    /// How often a node that is not on duty looks whether it is.
    private static let standby = Duration.seconds(1)
    private static let shortestRest = Duration.milliseconds(100)
    private static let longestRest = Duration.seconds(5)
    private static let firstDelay = Duration.seconds(1)
    private static let longestDelay = Duration.seconds(300)

    private let interval: Duration
    /// Those that were read and have no fate yet, in order.
    private var rows: [OutboxRow] = []
    /// How many rows are published together. Half of them after each time that took long, twice as many after another,
    /// and one after a failure that one of them may have caused.
    private var size = firstRows
    /// The rows of the last step.
    private var published: [OutboxRow] = []
    private var settling: Set<Int64> = []
    /// How often in a row nothing could be done.
    private var failures = 0

    /// - Parameter interval: how often to look when nothing was there.
    init(interval: Duration) { self.interval = interval }

    mutating func wake(isOnDuty: Bool) -> Step {
        isOnDuty ? .read(rows: Self.mostRows, bytes: Self.mostBytes) : .wait(max(interval, Self.standby))
    }

    /// - Parameters:
    ///   - found: nil if nothing could be read.
    ///   - time: how long it took. A slow database has four times as long for itself.
    mutating func read(_ found: [OutboxRow]?, in time: Duration) -> Step {
        guard let found else { return retreat() }
        guard !found.isEmpty else {
            failures = 0
            return .wait(max(interval, time * 4))
        }
        rows = found
        return publish()
    }

    /// - Parameter time: how long it took.
    mutating func answered(_ answer: Answer, in time: Duration) -> Step {
        switch answer {
        case .told(let settlement):
            size = time > Self.slow ? max(1, size / 2) : min(Self.mostRows, size * 2)
            return settle(settlement)
        case .failed where published.count > 1:
            size = 1
            return publish()
        case .failed:
            var settlement = OutboxSettlement()
            settlement.delayed = published.map { .init(row: $0.id, rest: Self.delay(after: $0.tries)) }
            return settle(settlement)
        case .unavailable:
            size = max(1, size / 2)
            return retreat()
        case .full(let rest):
            rows = []
            return .wait(rest)
        }
    }

    /// - Parameter isDone: otherwise the rows are as they were, and are read again.
    mutating func settled(_ isDone: Bool) -> Step {
        guard isDone else { return retreat() }
        failures = 0
        rows.removeAll { settling.contains($0.id) }
        // More may have come meanwhile.
        return rows.isEmpty ? .wait(.zero) : publish()
    }

    private mutating func publish() -> Step {
        published = Array(rows.prefix(size))
        return .publish(published)
    }

    private mutating func settle(_ settlement: OutboxSettlement) -> Step {
        settling = Set(settlement.rows)
        return .settle(settlement)
    }

    private mutating func retreat() -> Step {
        rows = []
        let rest = min(Self.longestRest, Self.shortestRest * (1 << min(failures, 10)))
        failures += 1
        return .wait(max(interval, rest))
    }

    private static func delay(after tries: Int) -> Duration { min(longestDelay, firstDelay * (1 << min(tries, 10))) }
}
