package import Push
import Synchronization

/// What one push service's lane counts.
package final class PushMetrics: Sendable {
    package let provider: Device.Provider
    /// Requests to the provider.
    package let underWay = Gauge()
    /// How many of them there may be.
    package let window = Gauge()
    /// 1 while the provider gets nothing because it fails.
    package let isPaused = Gauge()
    /// Pushes that became too old before they were accepted.
    package let expired = Counter()
    /// From sending to the answer, or to giving up on one.
    package let latency = LatencyHistogram()
    private let verdicts = ["accepted", "device_gone", "busy", "refused"].map { ($0, Counter()) }
    private let refusals = Mutex<[String: Int]>([:])

    init(provider: Device.Provider) { self.provider = provider }

    package func count(_ verdict: Verdict) {
        let index =
            switch verdict {
            case .accepted: 0
            case .deviceGone: 1
            case .busy: 2
            case .refused: 3
            }
        verdicts[index].1.add()
    }

    /// - Parameter reason: of a bounded set, which the caller sees to.
    package func countRefusal(_ reason: String) { refusals.withLock { $0[reason, default: 0] += 1 } }

    var countsByVerdict: [(verdict: String, count: Int)] { verdicts.map { ($0, $1.count) } }

    /// In the order of the reasons.
    var countsByReason: [(reason: String, count: Int)] {
        refusals.withLock { $0 }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
