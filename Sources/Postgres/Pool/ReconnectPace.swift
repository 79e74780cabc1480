/// When a connection that was lost, or could not be made, is tried again.
///
/// A pure machine: its owner gives it time and chance, and does what it says.
package struct ReconnectPace: Sendable {
    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.milliseconds(500)
    /// After so long a connection counts as good, and its end as a new beginning.
    private static let good = Duration.seconds(10)

    /// Since the last good connection.
    private(set) var failures = 0
    private var connected: ContinuousClock.Instant?

    package init() {}

    package mutating func connected(at now: ContinuousClock.Instant) { connected = now }

    /// The connection was lost, or could not be made.
    ///
    /// The wait is the upper half of a window that doubles each time: connections that were lost together do not come
    /// back together.
    /// - Parameter jitter: uniform in `0..<1`.
    /// - Returns: how long to wait before the next attempt.
    package mutating func failed(at now: ContinuousClock.Instant, jitter: Double) -> Duration {
        if let connected, now - connected >= Self.good { failures = 0 }
        connected = nil
        let window = min(Self.longest, Self.shortest * (1 << min(failures, 10)))
        failures += 1
        return window * ((1 + jitter) / 2)
    }
}
