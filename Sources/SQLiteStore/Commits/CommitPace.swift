/// How closely commits may follow each other.
///
/// A commit costs the processor and the disk nearly as much for one event as for twenty. Where events come one by one,
/// a thousand a second, waiting a few milliseconds for the next ones saves most of that.
struct CommitPace {
    /// With this many rows waiting, a commit is worth its price and begins at once.
    static let fullRows = 256

    /// From the beginning of one commit to that of the next; zero: a commit begins as soon as something waits.
    private let interval: Duration
    private var began: ContinuousClock.Instant?

    init(interval: Duration) { self.interval = interval }

    var isLimited: Bool { interval > .zero }

    /// How long the next commit has to wait; nil if it may begin.
    func rest(at now: ContinuousClock.Instant) -> Duration? {
        guard let began, began + interval > now else { return nil }
        return began + interval - now
    }

    mutating func begins(at now: ContinuousClock.Instant) { began = now }
}
