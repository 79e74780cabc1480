/// When a roster's items come and are told: whether those that wait should wait for others, which are then told in the
/// same walk over all members.
///
/// No store says what else is coming to a live-only feed. So it is learnt: where items came while others were told, the
/// next that comes alone waits for those that come right behind it. A feed whose items come one by one never waits.
struct FeedPace {
    /// Telling so many takes about a millisecond, as a commit does.
    static let manyMembers = 250
    /// So long items wait for others at most, but for the resolution of timers.
    static let longestWait = Duration.milliseconds(20)
    /// What a system call takes that sends to one.
    private static let timePerMember = Duration.microseconds(4)
    /// Whoever is about to send more has sent it within this.
    private static let pause = Duration.milliseconds(1)
    /// What comes within this of a walk's end came while it went on. Nobody who was told answers as quickly.
    private static let turnaround = Duration.microseconds(50)

    private var firstCame: ContinuousClock.Instant?
    private var newestCame: ContinuousClock.Instant?
    private var count = 0
    /// When the last walk ended; nil if the feed has few members.
    private var toldAt: ContinuousClock.Instant?
    /// What waits has waited for a whole walk already.
    private var cameDuringWalk = false
    private var comesInBursts = false

    /// An item came, in the turn that began at `now`.
    mutating func came(at now: ContinuousClock.Instant) {
        if firstCame == nil {
            firstCame = now
            cameDuringWalk = toldAt.map { now - $0 < Self.turnaround } ?? false
        }
        newestCame = now
        count += 1
    }

    /// All that waited was told.
    ///
    /// - Parameter end: when the walk ended, if it went to ``manyMembers``.
    mutating func told(until end: ContinuousClock.Instant?) {
        comesInBursts = cameDuringWalk || comesInBursts && count > 1
        (firstCame, newestCame, count, toldAt) = (nil, nil, 0, end)
    }

    /// Whether what waits may wait for more: as long as telling all members takes, which is how long the others would
    /// wait if they came while that is done.
    func mayWait(at now: ContinuousClock.Instant, memberCount: Int) -> Bool {
        guard memberCount >= Self.manyMembers, let firstCame else { return false }
        return now - firstCame < min(Self.timePerMember * memberCount, Self.longestWait)
    }

    /// Whether more is likely to come at once.
    func expectsMore(at now: ContinuousClock.Instant) -> Bool {
        guard comesInBursts, !cameDuringWalk, let newestCame else { return false }
        return now - newestCame < Self.pause
    }
}
