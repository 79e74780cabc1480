import Store

/// A latency in Prometheus' cumulative buckets, which many threads record.
package final class LatencyHistogram: Sendable {
    private let buckets: [Counter] = (0...DurationCounts.bounds.count).map { _ in Counter() }
    private let sum = Counter()

    package func record(_ duration: Duration) {
        let microseconds = Int(Moment.nanoseconds(in: duration) / 1_000)
        buckets[DurationCounts.place(ofMicroseconds: microseconds)].add()
        sum.add(microseconds)
    }

    /// The counts at this moment.
    var counts: DurationCounts { DurationCounts(buckets: buckets.map(\.count), microseconds: sum.count) }
}
