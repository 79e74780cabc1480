import JSON
import Testing

@testable import Bench

struct PlotTests {
    @Test(arguments: [(0.0, 0.0), (90, 1), (99, 2), (99.9, 3), (99.99, 4)])
    func `percentiles lie at as many nines as they have`(_ percentile: Double, nines: Double) {
        #expect(abs(Plot.nines(percentile) - nines) < 0.01)
    }

    @Test(arguments: [(0.0, 1.0), (0.03, 0.05), (1, 1), (1.1, 2), (30, 50), (51, 100), (4_999, 5_000)])
    func `axes end at a round number`(_ value: Double, end: Double) {
        #expect(abs(Plot.roundedUp(value) - end) < 1e-9)
    }

    @Test func `nothing to draw is no plot`() {
        #expect(Plot(title: "a", unit: "b", axis: .seconds, lines: []).svg == nil)
    }
}
