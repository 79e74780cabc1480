/// Decides whether a roster's waiting items should wait for more, which are told in the same walk over all members.
///
/// No store says what else is coming to a live-only feed, so this learns it. After items came during a walk, the next
/// single item waits for those right behind it. A feed whose items come one by one never waits.
struct FeedPace {
    /// Telling so many members takes about a millisecond, as long as a commit.
    static let manyMembers = 250
    /// The longest wait of items for others, apart from the timer's resolution.
    static let longestWait = Duration.milliseconds(20)
    /// The cost of a system call that sends to one member.
    private static let timePerMember = Duration.microseconds(4)
    /// A publisher that is about to send more does so within this time.
    private static let pause = Duration.milliseconds(1)
    /// An item that comes within this time after a walk came during it: no subscriber answers so quickly.
    private static let turnaround = Duration.microseconds(50)

    private var firstCame: ContinuousClock.Instant?
    private var newestCame: ContinuousClock.Instant?
    private var count = 0
    /// When the last walk ended; nil if the feed has few members.
    private var toldAt: ContinuousClock.Instant?
    /// Whether the waiting items have waited for a whole walk already.
    private var cameDuringWalk = false
    private var comesInBursts = false

    /// Notes an item that came in the turn that began at `now`.
    mutating func came(at now: ContinuousClock.Instant) {
        if firstCame == nil {
            firstCame = now
            cameDuringWalk = toldAt.map { now - $0 < Self.turnaround } ?? false
        }
        newestCame = now
        count += 1
    }

    /// Notes that all waiting items were told.
    ///
    /// - Parameter end: when the walk ended, if it went to at least ``manyMembers``.
    mutating func told(until end: ContinuousClock.Instant?) {
        comesInBursts = cameDuringWalk || comesInBursts && count > 1
        (firstCame, newestCame, count, toldAt) = (nil, nil, 0, end)
    }

    /// Whether the items may wait for more: at most as long as telling all members takes. Later items would wait that
    /// long if they came during the walk.
    func mayWait(at now: ContinuousClock.Instant, memberCount: Int) -> Bool {
        guard memberCount >= Self.manyMembers, let firstCame else { return false }
        return now - firstCame < min(Self.timePerMember * memberCount, Self.longestWait)
    }

    /// Whether more items are likely to come at once.
    func expectsMore(at now: ContinuousClock.Instant) -> Bool {
        guard comesInBursts, !cameDuringWalk, let newestCame else { return false }
        return now - newestCame < Self.pause
    }
}
