import Foundation
import Testing

@testable import Bench

struct LatenciesTests {
    @Test func `tells percentiles to three digits`() {
        var latencies = Latencies()
        for value in 1...10_000 { latencies.record(Int64(value) * 1_000_000) }
        for (percentile, expected) in [(50.0, 5e9), (90, 9e9), (99, 9.9e9), (100, 10e9)] {
            let found = Double(latencies.value(atPercentile: percentile))
            #expect(abs(found / expected - 1) < 0.002, "at \(percentile)")
        }
        #expect(latencies.count == 10_000)
    }

    @Test func `is the same whether one recorded all or two recorded a part each, also over a pipe`() throws {
        var (all, first, second) = (Latencies(), Latencies(), Latencies())
        var random = SplitMix64(seed: 1)
        for index in 0..<5_000 {
            let value = Int64.random(in: 0..<5_000_000_000, using: &random)
            all.record(value)
            if index % 3 == 0 { first.record(value) } else { second.record(value) }
        }
        let line = try WorkerLine.encode(second)
        first.add(try WorkerLine.decode(Latencies.self, from: String(decoding: line, as: UTF8.self)))
        #expect(first.count == all.count)
        #expect(first.maximum == all.maximum)
        for percentile in [10.0, 50, 90, 99, 99.9] {
            #expect(first.value(atPercentile: percentile) == all.value(atPercentile: percentile))
        }
    }

    @Test func `takes what is out of range for the nearest value in it`() {
        var latencies = Latencies()
        latencies.record(-5)
        latencies.record(.max)
        #expect(latencies.count == 2)
        #expect(latencies.value(atPercentile: 0) < 2_000)
        #expect(latencies.maximum >= 600_000_000_000)
    }

    @Test func `without records there is nothing to tell`() {
        #expect(Latencies().value(atPercentile: 99) == 0)
    }
}
