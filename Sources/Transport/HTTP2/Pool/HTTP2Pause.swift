/// The pause before another attempt, after a server could not be reached.
struct HTTP2Pause {
    private let first: Duration
    private let longest: Duration
    private var failures = 0
    private(set) var end: ContinuousClock.Instant?

    init(_ settings: HTTP2ClientSettings) {
        first = settings.firstPause
        longest = settings.longestPause
    }

    func isOver(at now: ContinuousClock.Instant) -> Bool { end.map { $0 <= now } ?? true }

    /// - Parameter jitter: uniform in 0..<1, so that many clients do not come back at once.
    mutating func failed(at now: ContinuousClock.Instant, jitter: Double) {
        failures += 1
        // Large enough for the longest pause, without overflow.
        let whole = min(first * (1 << min(failures - 1, 20)), longest)
        end = now + whole / 2 + whole * jitter / 2
    }

    mutating func succeeded() {
        failures = 0
        end = nil
    }
}
