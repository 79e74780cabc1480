import Inbox
import Testing

@testable import Gateway

struct LeaseLaneTests {
    private let start = Timestamp(milliseconds: 0)
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    /// A lane that has just been asked what to do, and asks the store.
    private func leasing() -> LeaseLane {
        var lane = LeaseLane(at: start, widest: 8, lookInterval: .seconds(30))
        #expect(lane.next(at: start) == .lease(limit: 8))
        #expect(lane.next(at: start) == .rest)
        return lane
    }

    @Test func `it looks at the start, and then as soon as something is due`() {
        var lane = leasing()
        lane.leased(0, next: at(5))
        #expect(lane.next(at: start) == .wait(until: at(5)))
        lane.expect(at(3))
        #expect(lane.next(at: start) == .wait(until: at(3)))
        #expect(lane.next(at: at(3)) == .lease(limit: 8))
    }

    @Test func `without anything due it looks now and then, for what other nodes have left`() {
        var lane = leasing()
        lane.leased(0, next: nil)
        #expect(lane.next(at: start) == .wait(until: at(30)))
        lane.expect(at(30))
        #expect(lane.next(at: at(30)) == .lease(limit: 8))
    }

    @Test func `a pause ends after its span, though the clock is set back meanwhile`() {
        var lane = leasing()
        lane.leased(0, next: at(7_200))
        lane.failed(until: at(3_600))
        lane.move(by: .seconds(-3_000), to: at(0))
        #expect(lane.next(at: at(0)) == .wait(until: at(30)))
        #expect(lane.next(at: at(600)) == .lease(limit: 1))
    }

    @Test(arguments: [nil, 60] as [Int64?])
    func `what is told while something is handed out is not forgotten`(_ next: Int64?) {
        var lane = leasing()
        lane.expect(start)
        lane.leased(0, next: next.map(at))
        #expect(lane.next(at: start) == .lease(limit: 8))
    }

    @Test func `so many are under way at most, one after a failure, and one more with each success`() {
        var lane = leasing()
        lane.leased(8, next: start)
        #expect(lane.next(at: start) == .rest)
        lane.failed(until: start)
        for _ in 0..<8 { lane.settled() }
        #expect(lane.next(at: start) == .lease(limit: 1))
        lane.leased(1, next: start)
        lane.succeeded()
        lane.settled()
        #expect(lane.next(at: start) == .lease(limit: 2))
    }

    @Test func `a receiver that fails rests as long as it says`() {
        var lane = leasing()
        lane.leased(2, next: start)
        lane.failed(until: at(8))
        lane.failed(until: at(5))
        for _ in 0..<2 { lane.settled() }
        #expect(lane.next(at: at(1)) == .wait(until: at(8)))
        #expect(lane.next(at: at(8)) == .lease(limit: 1))
    }

    @Test func `what was put off is due again`() {
        var lane = leasing()
        lane.leased(1, next: at(60))
        lane.settled(due: at(5))
        #expect(lane.underWay == 0)
        #expect(lane.next(at: start) == .wait(until: at(5)))
        #expect(lane.next(at: at(5)) == .lease(limit: 8))
    }

    @Test func `after a failure of the store it asks again, and once closed no more`() {
        var lane = leasing()
        lane.storeFailed(at: start)
        #expect(lane.next(at: start) == .wait(until: at(1)))
        #expect(lane.next(at: at(1)) == .lease(limit: 8))
        lane.storeFailed(at: at(1))
        lane.close()
        #expect(lane.next(at: at(9)) == .rest)
    }
}
