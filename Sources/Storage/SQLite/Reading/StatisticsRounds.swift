/// When the store is counted, and what those who ask are told meanwhile.
///
/// A small store is counted anew for everybody who asks. A large one is counted in the background, with a rest after
/// each step, and nobody waits for that: who asks is told the last whole count, if there was one.
struct StatisticsRounds: Sendable {
    typealias Completion = @Sendable (Result<StoreCounts?, StoreError>) -> Void

    enum AskAction: Sendable {
        case answer(StoreCounts?)
        /// Count from the start as well, for those who ask later.
        case answerAndCount(StoreCounts?)
        /// The count that is under way will answer.
        case wait
        /// Count from the start; that will answer.
        case count
    }

    enum StepAction: Sendable {
        /// The next step, after a rest.
        case goOn(after: Duration)
        /// The store has turned out to be large: these have waited long enough.
        case goOnAndAnswer(after: Duration, StoreCounts?, [Completion])
        case finish(StoreCounts, [Completion])
    }

    enum FailureAction: Sendable {
        /// The same step once more, after a rest.
        case goOn(after: Duration)
        /// Nothing is counted any more, and these are to hear why.
        case giveUp([Completion])
    }

    /// More steps than this make a store large.
    private static let stepsWhileSomebodyWaits = 4
    /// So that counting takes about a twentieth of one reader's time.
    private static let restForTimesItsCost = 19
    /// A step during which the machine was asleep, or the disk stood still, tells nothing of what the next ones cost.
    private static let longestRest = Duration.seconds(60)

    /// How many steps of the count that is under way were done; nil if there is none.
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

    /// A step was done.
    /// - Parameter cost: how long it has taken.
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

    /// A step could not be done.
    mutating func failed(_ error: StoreError) -> FailureAction {
        guard steps != nil else { preconditionFailure("a step belongs to a count") }
        // What was counted of a large store may be the work of an hour, and nobody waits for the rest.
        if isLarge, error == .overloaded { return .goOn(after: Self.longestRest) }
        steps = nil
        return .giveUp(takeWaiting())
    }

    private mutating func takeWaiting() -> [Completion] {
        defer { waiting = [] }
        return waiting
    }
}
