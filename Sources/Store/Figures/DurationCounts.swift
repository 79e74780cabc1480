/// How many durations lie in each of Prometheus' buckets.
package struct DurationCounts: Sendable, Hashable {
    /// Upper bounds in microseconds: from a fast commit to a stalled disk.
    package static let bounds = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000,
    ]

    /// How many are in each: one for each bound, and one for what is longer.
    package private(set) var buckets: [Int]
    private var microseconds: Int

    package init() { self.init(buckets: Array(repeating: 0, count: Self.bounds.count + 1), microseconds: 0) }

    /// - Parameters:
    ///   - buckets: how many are in each, one more than there are bounds.
    ///   - microseconds: the sum of all.
    package init(buckets: [Int], microseconds: Int) {
        (self.buckets, self.microseconds) = (buckets, microseconds)
    }

    /// The bucket of a duration.
    package static func place(ofMicroseconds microseconds: Int) -> Int {
        bounds.firstIndex { microseconds <= $0 } ?? bounds.count
    }

    package mutating func record(_ duration: Duration) {
        let microseconds = Int(duration / .microseconds(1))
        buckets[Self.place(ofMicroseconds: microseconds)] += 1
        self.microseconds += microseconds
    }

    /// The bounds in seconds with the counts up to each, the last one for all.
    package var cumulative: [(bound: String, count: Int)] {
        var total = 0
        return buckets.enumerated().map { place, count in
            total += count
            return (place < Self.bounds.count ? "\(Double(Self.bounds[place]) / 1_000_000)" : "+Inf", total)
        }
    }

    package var sumSeconds: Double { Double(microseconds) / 1_000_000 }
}
