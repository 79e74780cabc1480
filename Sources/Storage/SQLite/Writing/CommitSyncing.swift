/// Which commits wait until the disk has them.
///
/// One with something that somebody is promised does. One that only tells what became of pushes need not: if a power cut takes
/// it along, the jobs are as they were before, and these pushes leave once more under the same collapse ids. So a crowd of
/// them waits for the disk every ``longest`` and not hundreds of times a second. What is committed later is on the disk no
/// sooner, so nothing that was promised is there without what came before it.
struct CommitSyncing: Sendable {
    /// While commits go on, no more than this is missing after a power cut.
    static let longest = Duration.milliseconds(50)

    /// When the first commit was made that the disk may not have; nil if it has all.
    private var behindSince: ContinuousClock.Instant?

    /// Of what was committed before nothing is known, so it counts as missing.
    init(at now: ContinuousClock.Instant) { behindSince = now }

    /// Whether the disk may miss something.
    var isBehind: Bool { behindSince != nil }

    /// Whether the commit that is about to be made waits for the disk.
    func waits(isPromised: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard !isPromised, let behindSince else { return isPromised }
        return now - behindSince >= Self.longest
    }

    /// A commit was made, which waited for the disk or not.
    mutating func committed(hasWaited: Bool, at now: ContinuousClock.Instant) {
        if hasWaited { behindSince = nil } else { behindSince = behindSince ?? now }
    }

    /// The disk has all.
    mutating func synced() { behindSince = nil }
}
