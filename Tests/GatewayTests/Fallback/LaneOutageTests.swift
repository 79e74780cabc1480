import Inbox
import Push
import Testing

@testable import Gateway

/// A provider that stops and comes back, in manual time.
struct LaneOutageTests {
    private static let outage = (from: Timestamp.noon + .seconds(10), to: Timestamp.noon + .seconds(310))

    /// A provider that answers in 50 ms but not within the outage.
    private func simulation(_ failure: LaneSimulation.Response) -> LaneSimulation {
        LaneSimulation { _, now in
            now < Self.outage.from || now >= Self.outage.to ? .init(verdict: .accepted) : failure
        }
    }

    static let failures = [
        LaneSimulation.Response(verdict: .noAnswer(NoAnswer(reason: "no answer within 20 s")), after: .seconds(20)),
        LaneSimulation.Response(verdict: .noAnswer(NoAnswer(reason: "no answer within 20 s")), after: .milliseconds(1)),
        LaneSimulation.Response(verdict: .busy(retryAfter: nil, scope: .provider), after: .milliseconds(50)),
        LaneSimulation.Response(verdict: .busy(retryAfter: .seconds(15), scope: .provider), after: .milliseconds(50)),
    ]

    @Test(arguments: failures)
    func `everything is sent after it, and little was tried meanwhile`(_ failure: LaneSimulation.Response) {
        var lane = simulation(failure)
        // A flood just before it, and a job every 100 ms through all of it.
        lane.add(0..<2_000, due: Self.outage.from - .milliseconds(200))
        for id in 0..<3_000 { lane.add([10_000 + id], due: .noon + .milliseconds(Int64(id) * 100)) }
        lane.run(for: .seconds(300))
        let tries = lane.requests.filter { $0.at >= Self.outage.from }.count
        #expect(tries < 700, "tried \(tries) times")
        lane.run(for: .seconds(700))
        #expect(lane.ends.count == 5_000)
        #expect(lane.ends.values.allSatisfy { $0.end == .accepted })
        // A window under way and five at hand.
        #expect(lane.mostHeld <= 1_200)
    }

    @Test(arguments: failures)
    func `the return is noticed within a minute and a half`(_ failure: LaneSimulation.Response) throws {
        var lane = simulation(failure)
        lane.add(0..<5_000, due: Self.outage.from - .milliseconds(200))
        lane.run(for: .seconds(1_000))
        let first = try #require(lane.ends.values.map(\.at).filter { $0 >= Self.outage.to }.min())
        #expect(first < Self.outage.to + .seconds(90))
    }

    @Test(arguments: failures)
    func `pushes that waited are spread over the time after it`(_ failure: LaneSimulation.Response) throws {
        var lane = simulation(failure)
        lane.add(0..<10_000, due: Self.outage.from)
        lane.run(for: .seconds(1_000))
        let first = try #require(lane.requests.map(\.at).filter { $0 >= Self.outage.to }.min())
        let perSecond = (0..<6).map { second in
            let from = first + .seconds(second)
            return lane.requests.filter { $0.at >= from && $0.at < from + .seconds(1) }.count
        }
        #expect(perSecond[0] <= 12)
        for (earlier, later) in zip(perSecond, perSecond.dropFirst()) { #expect(later <= earlier * 2 + 12) }
        #expect(perSecond[5] > 100)
    }

    @Test func `meanwhile the provider is tried by one request at a time`() {
        var lane = simulation(
            .init(verdict: .noAnswer(NoAnswer(reason: "no answer within 20 s")), after: .milliseconds(1)))
        lane.add(0..<1_000, due: Self.outage.from)
        lane.run(for: .seconds(300))
        let tries = lane.requests.map(\.at).filter { $0 >= Self.outage.from + .seconds(5) }
        #expect((4...40).contains(tries.count), "tried \(tries.count) times")
        for (one, next) in zip(tries, tries.dropFirst()) { #expect(next - one >= .seconds(1)) }
    }

    @Test func `jobs that only wait in the store are not counted as tried`() {
        var lane = simulation(
            .init(verdict: .noAnswer(NoAnswer(reason: "no answer within 20 s")), after: .milliseconds(1)))
        lane.add(0..<1_000, due: Self.outage.from)
        lane.run(for: .seconds(300))
        #expect(lane.waiting.filter { $0.attempt.failures == 0 }.count > 900)
    }

    @Test func `a provider that fails now and then keeps its speed`() {
        var lane = LaneSimulation { job, now in
            // One request in fifty, at its first try.
            job % 50 == 0 && now < .noon + .seconds(10)
                ? .init(verdict: .busy(retryAfter: nil, scope: .provider)) : .init(verdict: .accepted)
        }
        lane.add(0..<10_000)
        lane.run(for: .seconds(5))
        #expect(lane.pauses.isEmpty)
        #expect(lane.ends.count > 9_000)
        lane.run(for: .seconds(60))
        #expect(lane.ends.count == 10_000)
    }

    @Test func `devices that are put off slow nobody else down`() {
        var lane = LaneSimulation { job, now in
            job % 2 == 0 && now < .noon + .seconds(30)
                ? .init(verdict: .busy(retryAfter: .seconds(30), scope: .device)) : .init(verdict: .accepted)
        }
        lane.add(0..<2_000)
        lane.run(for: .seconds(3))
        #expect(lane.ends.count == 1_000)
        #expect(lane.machine.gate.state == .open)
        lane.run(for: .seconds(60))
        #expect(lane.ends.count == 2_000)
    }
}
