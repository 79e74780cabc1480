import Postgres

/// How long a start waits for a database that cannot be reached yet: the parts of a cluster start together, in any order.
struct DatabaseWait {
    enum Step: Hashable {
        /// Try again after ``DatabaseWait/pause``.
        ///
        /// - Parameter isNews: whether the reason is another one than last time.
        case tryAgain(isNews: Bool)
        case giveUp
    }

    /// From the first attempt on.
    static let patience = Duration.seconds(30)
    static let pause = Duration.milliseconds(500)

    private let end: ContinuousClock.Instant
    private var lastReason: String?

    init(from start: ContinuousClock.Instant) { end = start + Self.patience }

    mutating func judge(_ failure: PostgresFailure, at now: ContinuousClock.Instant) -> Step {
        guard Self.mayPass(failure), now < end else { return .giveUp }
        defer { lastReason = failure.message }
        return .tryAgain(isNews: failure.message != lastReason)
    }

    /// Whether time alone may mend it. A wrong password or a database that is missing needs an operator.
    private static func mayPass(_ failure: PostgresFailure) -> Bool {
        switch failure.meaning {
        case .connectionLost, .shuttingDown, .readOnly, .timeOut, .tryAgain: true
        // What libpq finds has no code. The classes are of connections, resources, and an operator's intervention.
        case .cannotConnect: failure.sqlState.isEmpty || ["08", "53", "57"].contains(failure.sqlState.prefix(2))
        case .uniqueViolation, .outOfSpace, .other: false
        }
    }
}
