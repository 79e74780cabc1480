package import Push
import Synchronization

/// The counters of one push service's lane.
package final class PushMetrics: Sendable {
    package let provider: Device.Provider
    /// Requests to the provider under way.
    package let underWay = Gauge()
    /// How many requests may be under way.
    package let window = Gauge()
    /// 1 while the provider gets no requests because it fails.
    package let isPaused = Gauge()
    /// Pushes that became too old before they were accepted.
    package let expired = Counter()
    /// From sending a push to its answer, or to giving up on one.
    package let latency = LatencyHistogram()
    let failures = PushFailureLog()
    private let verdicts = VerdictCounters()
    private let refusals = Mutex<[String: Int]>([:])

    init(provider: Device.Provider) { self.provider = provider }

    package func count(_ verdict: Verdict) { verdicts.count(verdict) }

    /// - Parameter reason: the caller keeps the number of reasons bounded.
    package func countRefusal(_ reason: String) { refusals.withLock { $0[reason, default: 0] += 1 } }

    var countsByVerdict: [(verdict: String, count: Int)] { verdicts.counts }

    /// Sorted by reason.
    var countsByReason: [(reason: String, count: Int)] {
        refusals.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
