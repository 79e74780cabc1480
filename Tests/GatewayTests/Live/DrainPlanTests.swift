import Support
import Testing
import Transport

@testable import Gateway

struct DrainPlanTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let sessions: Int
        var configured = 0
        var measured = 0
        let rate: Double

        var testDescription: String { "\(sessions) sessions, \(configured) configured, \(measured) measured" }
    }

    @Test(arguments: [
        Row(sessions: 100, rate: 200),
        Row(sessions: 100, measured: 50, rate: 200),
        Row(sessions: 100, measured: 3_000, rate: 3_000),
        Row(sessions: 100, configured: 10, measured: 3_000, rate: 10),
        Row(sessions: 8_775, rate: 300),
        Row(sessions: 8_775, configured: 10, rate: 300),
        Row(sessions: 9_000, configured: 500, rate: 500),
        Row(sessions: 0, rate: 200),
    ])
    func `the rate is the configured one, else the measured one, and never too slow for the deadline`(_ row: Row) {
        let plan = DrainPlan(
            sessionCount: row.sessions, rate: row.configured, measuredRate: row.measured, deadline: .seconds(30))
        #expect(plan.rate == row.rate)
    }

    @Test(arguments: [[0], [1], [50], [30, 20], [0, 7, 0, 5_000, 1]])
    func `each session of each shard has a slot of its own, one after the other and none beyond the deadline`(
        _ counts: [Int]
    ) {
        var random = SeededRandom(seed: 7)
        let count = counts.reduce(0, +)
        let plan = DrainPlan(sessionCount: count, rate: 100, measuredRate: 0, deadline: .seconds(30))
        let slots = plan.slots(for: counts, using: &random)
        #expect(slots.map(\.count) == counts)
        let sorted = slots.flatMap(\.self).sorted()
        #expect(sorted == (0..<count).map(plan.slot))
        #expect(Set(sorted).count == count)
        #expect(sorted.last ?? .zero < .seconds(30))
    }

    @Test func `nobody is sent to a port on which we still close`() {
        let plan = DrainPlan(sessionCount: 9, rate: 100, measuredRate: 0, deadline: .seconds(30))
        #expect(plan.slot(0) > Listener.leavingTime)
        let short = DrainPlan(sessionCount: 9, rate: 0, measuredRate: 0, deadline: .milliseconds(200))
        #expect(short.slot(8) < .milliseconds(200))
    }

    @Test func `the first shard's sessions do not all go first`() {
        var random = SeededRandom(seed: 7)
        let plan = DrainPlan(sessionCount: 200, rate: 100, measuredRate: 0, deadline: .seconds(30))
        let slots = plan.slots(for: [100, 100], using: &random)
        let early = slots.map { shard in shard.count { $0 < plan.slot(100) } }
        #expect(early.allSatisfy { $0 > 25 })
    }
}
