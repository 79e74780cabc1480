/// Decides when the writer lets go of its cached pages: once nothing has been written for a while.
///
/// A herd of newcomers, or a busy hour, leaves megabytes of pages behind. The next write reads the few it needs again
/// from the system's memory.
struct WriterRest {
    enum Look: Hashable {
        /// The pages are to be let go of now.
        case rest
        /// Something was written meanwhile.
        case again(after: Duration)
    }

    private let delay: Duration
    private var lastPause: ContinuousClock.Instant?
    private var isPlanned = false

    init(after delay: Duration) { self.delay = delay }

    /// Notes that nothing waits to be written for now.
    ///
    /// - Returns: the delay before ``look(at:)``; nil if that is planned already.
    mutating func paused(at now: ContinuousClock.Instant) -> Duration? {
        lastPause = now
        guard !isPlanned else { return nil }
        isPlanned = true
        return delay
    }

    mutating func look(at now: ContinuousClock.Instant) -> Look {
        if let lastPause, lastPause + delay > now { return .again(after: lastPause + delay - now) }
        isPlanned = false
        return .rest
    }
}
