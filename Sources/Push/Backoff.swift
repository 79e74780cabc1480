/// How long to wait before a push is tried again.
package enum Backoff {
    /// The least wait that push services ask of a throttled sender (Firebase "Best practices for sending at scale").
    package static let minimum = Duration.seconds(10)
    /// Longer waits would not spare the provider any more, and a push that late is of little use.
    package static let maximum = Duration.seconds(600)

    /// The delay after a number of failures: the minimum plus a random part of a window that doubles with each failure.
    ///
    /// The whole window is random, so that jobs which failed together do not come back together.
    /// - Parameters:
    ///   - failures: from 1.
    ///   - jitter: uniform in `0..<1`.
    package static func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        let doublings = min(max(failures - 1, 0), 6)  // by then the window has reached its limit
        let window = min(minimum * (1 << doublings), maximum - minimum)
        return minimum + window * jitter
    }
}
