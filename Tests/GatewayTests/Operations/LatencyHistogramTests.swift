import Dispatch
import Store
import Testing

@testable import Gateway

struct LatencyHistogramTests {
    @Test func `buckets count up to their bound and everything below it`() {
        let histogram = LatencyHistogram()
        for microseconds in [0, 500, 501, 1_000, 30_000, 5_000_000, 5_000_001, 60_000_000] {
            histogram.record(.microseconds(microseconds))
        }
        let cumulative = histogram.counts.cumulative
        #expect(
            cumulative.map(\.bound) == [
                "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "1.0", "5.0", "+Inf",
            ])
        #expect(cumulative.map(\.count) == [2, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 8])
        #expect(histogram.counts.sumSeconds == 70.032_002)
    }

    @Test func `a histogram with nothing in it is all zero`() {
        let histogram = LatencyHistogram()
        #expect(histogram.counts.cumulative.allSatisfy { $0.count == 0 })
        #expect(histogram.counts.sumSeconds == 0)
    }

    @Test func `the records of many threads are all there`() {
        let histogram = LatencyHistogram()
        DispatchQueue.concurrentPerform(iterations: 1_000) { histogram.record(.microseconds($0)) }
        #expect(histogram.counts.cumulative.last?.count == 1_000)
        #expect(histogram.counts.cumulative.first?.count == 501)
        #expect(histogram.counts.sumSeconds == 0.499_5)
    }
}
