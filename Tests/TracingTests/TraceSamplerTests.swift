import Inbox
import Testing
import Tracing

struct TraceSamplerTests {
    private let ids = (1...20_000).map { NotificationID(inbox: Int64($0 % 700 + 1), sequence: Int64($0)) }
    private let traces = NotificationTraces(service: "belfry")

    @Test func `none and all are exact`() {
        let (none, all) = (TraceSampler(share: 0), TraceSampler(share: 1))
        #expect(none.isEmpty && !all.isEmpty)
        for id in ids {
            #expect(!none.admits(traces.trace(of: id)))
            #expect(all.admits(traces.trace(of: id)))
        }
        for chance: UInt64 in [0, 1, .max, 1 << 56 - 1] {
            #expect(all.admits(TraceID(chance: (0, chance))))
            #expect(!none.admits(TraceID(chance: (0, chance))))
        }
    }

    @Test(arguments: [0.01, 0.1, 0.5, 0.9])
    func `about the share is drawn`(_ share: Double) {
        let sampler = TraceSampler(share: share)
        let count = ids.count { sampler.admits(traces.trace(of: $0)) }
        // The numbers are fixed: four standard deviations of a fair draw.
        let deviation = (Double(ids.count) * share * (1 - share)).squareRoot()
        #expect(abs(Double(count) - Double(ids.count) * share) < 4 * deviation)
    }

    @Test func `a larger share draws all that a smaller one draws`() {
        let (few, many) = (TraceSampler(share: 0.1), TraceSampler(share: 0.3))
        for id in ids where few.admits(traces.trace(of: id)) { #expect(many.admits(traces.trace(of: id))) }
    }

    @Test func `the bounds are those of OpenTelemetry's threshold`() {
        // th:c is a quarter: 0xc0000000000000 of 2^56.
        let quarter = TraceSampler(share: 0.25)
        #expect(quarter.admits(TraceID(chance: (0, 0xC0_0000_0000_0000))))
        #expect(!quarter.admits(TraceID(chance: (0, 0xBF_FFFF_FFFF_FFFF))))
        // The highest byte is not among the random bits.
        #expect(!quarter.admits(TraceID(chance: (0, 0xFFBF_FFFF_FFFF_FFFF))))
    }

    @Test func `a notification's trace is the same in every version, and in every process`() {
        let trace = traces.trace(of: NotificationID(inbox: 1, sequence: 1))
        #expect(trace.text == "172e845c17fa7b3b33a47b6879d81d09")
        #expect(traces.root(of: trace).text == "94df910178a618d0")
    }

    @Test func `no two notifications, and no two installations, share a trace`() {
        var known: Set<TraceID> = []
        for service in ["belfry", "belfry-staging", ""] {
            let traces = NotificationTraces(service: service)
            for id in ids { known.insert(traces.trace(of: id)) }
            known.insert(traces.trace(of: NotificationID(inbox: 5, sequence: -5)))
        }
        #expect(known.count == 3 * (ids.count + 1))
    }
}
