import Synchronization

/// A latency in Prometheus' cumulative buckets.
package final class LatencyHistogram: Sendable {
    /// Upper bounds in microseconds: from a fast commit to a stalled disk.
    static let bounds = [500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000]

    private let buckets: [Counter] = (0...bounds.count).map { _ in Counter() }
    private let sum = Counter()

    package func record(_ duration: Duration) {
        let microseconds = Int(Moment.nanoseconds(in: duration) / 1_000)
        let index = Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        buckets[index].add()
        sum.add(microseconds)
    }

    /// The bounds in seconds with the counts up to each, the last one for all.
    var cumulative: [(bound: String, count: Int)] {
        var total = 0
        return buckets.enumerated().map { index, bucket in
            total += bucket.count
            let bound = index < Self.bounds.count ? "\(Double(Self.bounds[index]) / 1_000_000)" : "+Inf"
            return (bound, total)
        }
    }

    var sumSeconds: Double { Double(sum.count) / 1_000_000 }
}
