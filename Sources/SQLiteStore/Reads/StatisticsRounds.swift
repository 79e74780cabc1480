import Store

/// Decides when the store is counted, and what callers are told meanwhile.
///
/// A small store is counted anew for every caller. A large one is counted in the background, with a rest after each
/// step. Its callers get the last whole count at once, if there was one.
struct StatisticsRounds: Sendable {
    typealias Completion = @Sendable (Result<StoreCounts?, StoreError>) -> Void

    enum AskAction: Sendable {
        case answer(StoreCounts?)
        /// Answer, and count from the start for later callers.
        case answerAndCount(StoreCounts?)
        /// The running count will answer.
        case wait
        /// Count from the start; that count will answer.
        case count
    }

    enum StepAction: Sendable {
        /// Do the next step after a rest.
        case goOn(after: Duration)
        /// The store has turned out to be large: answer these callers now.
        case goOnAndAnswer(after: Duration, StoreCounts?, [Completion])
        case finish(StoreCounts, [Completion])
    }

    enum FailureAction: Sendable {
        /// Repeat the step after a rest.
        case goOn(after: Duration)
        /// Stop the count, and tell these callers why.
        case giveUp([Completion])
    }

    /// A store that needs more steps is large.
    private static let stepsWhileSomebodyWaits = 4
    /// Makes counting take about a twentieth of one reader's time.
    private static let restForTimesItsCost = 19
    /// The machine may have slept during a step, or the disk stood still: such a step does not tell the cost of the
    /// next.
    private static let longestRest = Duration.seconds(60)

    /// How many steps of the running count are done; nil without a count.
    private var steps: Int?
    private var isLarge = false
    private var last: StoreCounts?
    private var restsUntil: ContinuousClock.Instant?
    private var waiting: [Completion] = []

    mutating func asked(at now: ContinuousClock.Instant, _ completion: @escaping Completion) -> AskAction {
        if isLarge {
            let isResting = restsUntil.map { now < $0 } ?? false
            guard steps == nil, !isResting else { return .answer(last) }
            steps = 0
            return .answerAndCount(last)
        }
        waiting.append(completion)
        guard steps == nil else { return .wait }
        steps = 0
        return .count
    }

    /// - Parameter cost: how long the step took.
    mutating func stepped(_ walk: StatisticsWalk, cost: Duration, at now: ContinuousClock.Instant) -> StepAction {
        guard let before = steps else { preconditionFailure("a step belongs to a count") }
        let steps = before + 1
        let rest = min(cost * Self.restForTimesItsCost, Self.longestRest)
        if walk.isOver {
            self.steps = nil
            last = walk.counts
            isLarge = steps > Self.stepsWhileSomebodyWaits
            restsUntil = now + rest
            return .finish(walk.counts, takeWaiting())
        }
        self.steps = steps
        if isLarge { return .goOn(after: rest) }
        guard steps == Self.stepsWhileSomebodyWaits else { return .goOn(after: .zero) }
        isLarge = true
        return .goOnAndAnswer(after: rest, last, takeWaiting())
    }

    /// Notes that a step failed.
    mutating func failed(_ error: StoreError) -> FailureAction {
        guard steps != nil else { preconditionFailure("a step belongs to a count") }
        // The count of a large store may be the work of an hour, and no caller waits for its end.
        if isLarge, error == .overloaded { return .goOn(after: Self.longestRest) }
        steps = nil
        return .giveUp(takeWaiting())
    }

    private mutating func takeWaiting() -> [Completion] {
        defer { waiting = [] }
        return waiting
    }
}
