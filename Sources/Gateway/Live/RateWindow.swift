/// At most so many within a span of time; counts in fixed windows, which costs two words.
struct RateWindow {
    private let limit: Int
    private let span: Duration
    private var windowEnd: ContinuousClock.Instant
    private var count = 0

    init(limit: Int, per span: Duration, from now: ContinuousClock.Instant) {
        self.limit = limit
        self.span = span
        windowEnd = now + span
    }

    /// Counts one more; false if it is one too many.
    mutating func admits(at now: ContinuousClock.Instant) -> Bool {
        if now >= windowEnd {
            windowEnd = now + span
            count = 0
        }
        count += 1
        return count <= limit
    }
}
