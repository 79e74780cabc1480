import Glibc

/// The highest number of new connections that a node accepted within a second: the rate it can be expected to repeat.
///
/// The value halves every six hours: quiet hours say nothing about what is possible, but a machine may change.
struct AcceptRate: Sendable {
    private static let halfLife = Duration.seconds(6 * 3_600)

    private var windowStart: ContinuousClock.Instant?
    private var inWindow = 0
    private var highest = 0.0
    /// The time at which `highest` held.
    private var measured: ContinuousClock.Instant?

    mutating func count(at now: ContinuousClock.Instant) {
        closeWindow(at: now)
        if windowStart == nil { windowStart = now }
        inWindow += 1
    }

    /// In connections a second; 0 before the first one. The second that has not ended yet counts what it has so far.
    mutating func rate(at now: ContinuousClock.Instant) -> Int {
        closeWindow(at: now)
        return max(Int(faded(at: now).rounded()), inWindow)
    }

    private mutating func closeWindow(at now: ContinuousClock.Instant) {
        guard let start = windowStart, now - start >= .seconds(1) else { return }
        highest = max(faded(at: now), Double(inWindow))
        measured = now
        (windowStart, inWindow) = (nil, 0)
    }

    private func faded(at now: ContinuousClock.Instant) -> Double {
        guard let measured else { return 0 }
        return highest * pow(0.5, (now - measured).seconds / Self.halfLife.seconds)
    }
}
