/// Latencies for a report, in milliseconds.
package struct Times: Sendable, Encodable {
    package let count: Int
    package let mean: Double
    package let p50: Double
    package let p90: Double
    package let p99: Double
    package let p999: Double
    package let maximum: Double
    /// Points of the distribution: milliseconds, and their percentile.
    package let curve: [[Double]]

    /// Nil without a measurement.
    package init?(_ latencies: Latencies?) {
        guard let latencies, latencies.count > 0 else { return nil }
        func milliseconds(_ percentile: Double) -> Double {
            Self.rounded(Double(latencies.value(atPercentile: percentile)) / 1e6)
        }
        count = latencies.count
        mean = Self.rounded(latencies.mean / 1e6)
        (p50, p90, p99, p999) = (milliseconds(50), milliseconds(90), milliseconds(99), milliseconds(99.9))
        maximum = Self.rounded(Double(latencies.maximum) / 1e6)
        curve = latencies.curve.map { [Self.rounded(Double($0.nanoseconds) / 1e6), $0.percentile] }
    }

    /// To a microsecond.
    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }
}
