/// When the store is counted, and what those who ask are told meanwhile.
///
/// A small store is counted anew for everybody who asks. A large one is counted in the background, so often that it costs
/// a tenth of one reader's time at most; who asks is told the last whole count.
struct StatisticsRounds: Sendable {
    typealias Completion = @Sendable (Result<StoreStatistics, StoreError>) -> Void

    enum AskAction: Sendable {
        case answer(StoreStatistics)
        /// The count that is under way will answer.
        case wait
        /// Count from the start; that will answer.
        case count
    }

    enum StepAction: Sendable {
        case goOn
        /// These have waited long enough for a count that takes long.
        case goOnAndAnswer(StoreStatistics, [Completion])
        case finish(StoreStatistics, [Completion])
    }

    private struct Round {
        let began: ContinuousClock.Instant
        var steps = 0
    }

    /// So many steps make a store large.
    private static let stepsWhileSomebodyWaits = 4
    private static let restForTimesItsCost = 10

    private var round: Round?
    private var last: StoreStatistics?
    private var restsUntil: ContinuousClock.Instant?
    private var waiting: [Completion] = []

    mutating func asked(at now: ContinuousClock.Instant, _ completion: @escaping Completion) -> AskAction {
        let isResting = restsUntil.map { now < $0 } ?? false
        if let last, round != nil && waiting.isEmpty || isResting { return .answer(last) }
        waiting.append(completion)
        guard round == nil else { return .wait }
        round = Round(began: now)
        return .count
    }

    mutating func stepped(_ walk: StatisticsWalk, at now: ContinuousClock.Instant) -> StepAction {
        guard var round else { preconditionFailure("a step belongs to a round") }
        round.steps += 1
        let isLarge = round.steps > Self.stepsWhileSomebodyWaits
        guard walk.isOver else {
            self.round = round
            guard round.steps >= Self.stepsWhileSomebodyWaits, let last, !waiting.isEmpty else { return .goOn }
            return .goOnAndAnswer(last, takeWaiting())
        }
        self.round = nil
        last = walk.statistics
        restsUntil = isLarge ? now + (now - round.began) * Self.restForTimesItsCost : nil
        return .finish(walk.statistics, takeWaiting())
    }

    /// The store could not be read: whoever waits is to hear so.
    mutating func failed() -> [Completion] {
        round = nil
        return takeWaiting()
    }

    private mutating func takeWaiting() -> [Completion] {
        defer { waiting = [] }
        return waiting
    }
}
