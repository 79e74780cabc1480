import Histogram

/// Times in an HDR histogram of three significant digits; those of several shards and processes can be added.
package struct Latencies: Sendable {
    /// Ten minutes; longer times count as this.
    private static let highest: UInt64 = 600_000_000_000

    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1_000, highestTrackableValue: highest, numberOfSignificantValueDigits: .three)

    package init() {}

    package var count: Int { Int(histogram.totalCount) }

    /// - Parameter nanoseconds: negative times count as 0: clocks of two cores may differ slightly.
    package mutating func record(_ nanoseconds: Int64) { record(nanoseconds, count: 1) }

    private mutating func record(_ nanoseconds: Int64, count: UInt64) {
        histogram.record(min(UInt64(max(0, nanoseconds)), Self.highest), count: count)
    }

    package mutating func add(_ other: Latencies) { histogram.add(other.histogram) }

    /// Both together; each time of the other counts `times` times.
    package func with(_ other: Latencies, times: Int = 1) -> Latencies {
        guard times > 0, other.count > 0 else { return self }
        var sum = self
        for value in other.histogram.recordedValues() {
            sum.record(Int64(value.value), count: value.count * UInt64(times))
        }
        return sum
    }

    /// In nanoseconds; 0 without a record.
    package func value(atPercentile percentile: Double) -> Int64 {
        count == 0 ? 0 : Int64(histogram.valueAtPercentile(percentile))
    }

    package var mean: Double { count == 0 ? 0 : histogram.mean }
    package var maximum: Int64 { count == 0 ? 0 : Int64(histogram.max) }

    /// The recorded values with their percentiles, for a plot.
    package var curve: [(nanoseconds: Int64, percentile: Double)] {
        histogram.percentiles(ticksPerHalfDistance: 5).map { (Int64($0.value), $0.percentile) }
    }
}

extension Latencies: Codable {
    /// Written as pairs of a value and its count, because most of a histogram is empty.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in histogram.recordedValues() {
            try container.encode(Int64(value.value))
            try container.encode(value.count)
        }
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let nanoseconds = try container.decode(Int64.self)
            record(nanoseconds, count: try container.decode(UInt64.self))
        }
    }
}
