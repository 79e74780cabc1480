import Inbox
import JSON
import Push
import Store
import Testing

@testable import Gateway

struct ActivityLaneTests {
    private let start = Timestamp(milliseconds: 0)
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    private func leased(_ count: Int, nextDue: Timestamp?) -> Result<LeasedActivities, StoreError> {
        let device = Device(id: "d", provider: .apns, token: "t", registeredAt: start)
        let jobs = (0..<count).compactMap { number in
            UserID("ada").map { user in
                ActivityJob(
                    row: Int64(number), number: 1, user: user, device: device,
                    push: ActivityPush(
                        content: ActivityContent(event: .update, key: "k", state: [:]), token: "aa", timestamp: 1,
                        isPressing: true, expiry: at(60)))
            }
        }
        return .success(LeasedActivities(jobs: jobs, nextDue: nextDue))
    }

    @Test func `it looks at the start, when something is due, and now and then for what other nodes have left`() {
        var lane = ActivityLane(at: start)
        #expect(lane.next(at: start) == .lease(limit: ActivityLane.widest))
        #expect(lane.next(at: start) == .rest)
        #expect(lane.leased(leased(0, nextDue: at(5)), at: start).isEmpty)
        #expect(lane.next(at: start) == .wait(until: at(5)))
        lane.expect(at(3))
        #expect(lane.next(at: at(3)) == .lease(limit: ActivityLane.widest))
        _ = lane.leased(leased(0, nextDue: nil), at: at(3))
        #expect(lane.next(at: at(3)) == .wait(until: at(13)))
    }

    @Test func `what is told while pushes are handed out is not forgotten`() {
        var lane = ActivityLane(at: start)
        _ = lane.next(at: start)
        lane.expect(start)
        _ = lane.leased(leased(0, nextDue: at(60)), at: start)
        #expect(lane.next(at: start) == .lease(limit: ActivityLane.widest))
    }

    @Test func `a service that fails rests, and is tried with one push at a time`() {
        var lane = ActivityLane(at: start)
        _ = lane.next(at: start)
        #expect(lane.leased(leased(2, nextDue: start), at: start).count == 2)
        lane.judged(.busy(retryAfter: .seconds(8), scope: .provider), at: start)
        for _ in 0..<2 { lane.settled() }
        #expect(lane.next(at: at(1)) == .wait(until: at(8)))
        #expect(lane.next(at: at(8)) == .lease(limit: 1))
        _ = lane.leased(leased(1, nextDue: start), at: at(8))
        lane.judged(.accepted, at: at(8))
        lane.settled()
        #expect(lane.next(at: at(8)) == .lease(limit: 2))
    }

    @Test func `a device that fails does not hold up others`() {
        var lane = ActivityLane(at: start)
        _ = lane.next(at: start)
        _ = lane.leased(leased(1, nextDue: start), at: start)
        lane.judged(.busy(retryAfter: .seconds(60), scope: .device), at: start)
        lane.judged(.refused(reason: "BadTopic"), at: start)
        #expect(lane.next(at: start) == .lease(limit: ActivityLane.widest - 1))
    }

    @Test func `after a failure of the store it asks again, and once closed no more`() {
        var lane = ActivityLane(at: start)
        _ = lane.next(at: start)
        _ = lane.leased(.failure(.overloaded), at: start)
        #expect(lane.next(at: start) == .wait(until: at(1)))
        lane.close()
        #expect(lane.next(at: at(2)) == .rest)
    }
}
