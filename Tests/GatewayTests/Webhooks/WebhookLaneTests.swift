import Inbox
import Store
import Testing

@testable import Gateway

struct WebhookLaneTests {
    private let start = Timestamp(milliseconds: 0)
    private func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }
    private func leased(_ count: Int, nextDue: Timestamp?) -> Result<LeasedWebhooks, StoreError> {
        let webhooks = (0..<count).map { Webhook(id: "msg_\($0)", failures: 0, body: []) }
        return .success(LeasedWebhooks(webhooks: webhooks, nextDue: nextDue))
    }

    @Test func `it looks at the start, and then as soon as something is due`() {
        var lane = WebhookLane(at: start)
        #expect(lane.next(at: start) == .lease(limit: 8))
        #expect(lane.next(at: start) == .rest)
        #expect(lane.leased(leased(0, nextDue: at(5)), at: start).isEmpty)
        #expect(lane.next(at: start) == .wait(until: at(5)))
        lane.expect(at(3))
        #expect(lane.next(at: start) == .wait(until: at(3)))
        #expect(lane.next(at: at(3)) == .lease(limit: 8))
    }

    @Test func `without anything due it looks now and then, for what other nodes have left`() {
        var lane = WebhookLane(at: start)
        _ = lane.next(at: start)
        _ = lane.leased(leased(0, nextDue: nil), at: start)
        #expect(lane.next(at: start) == .wait(until: at(30)))
        lane.look(at: at(30))
        #expect(lane.next(at: at(30)) == .lease(limit: 8))
    }

    @Test func `what is told while webhooks are handed out is not forgotten`() {
        var lane = WebhookLane(at: start)
        _ = lane.next(at: start)
        lane.expect(start)
        _ = lane.leased(leased(0, nextDue: at(60)), at: start)
        #expect(lane.next(at: start) == .lease(limit: 8))
    }

    @Test func `so many are under way at most, one after a failure, and one more with each success`() {
        var lane = WebhookLane(at: start)
        _ = lane.next(at: start)
        #expect(lane.leased(leased(8, nextDue: start), at: start).count == 8)
        #expect(lane.next(at: start) == .rest)
        lane.judged(.failed(reason: "r", retryAfter: nil))
        for _ in 0..<8 { lane.settled(due: nil) }
        #expect(lane.next(at: start) == .lease(limit: 1))
        _ = lane.leased(leased(1, nextDue: start), at: start)
        lane.judged(.delivered)
        lane.settled(due: nil)
        #expect(lane.next(at: start) == .lease(limit: 2))
    }

    @Test func `a webhook that was put off is due again, and a failure of the store is no end`() {
        var lane = WebhookLane(at: start)
        _ = lane.next(at: start)
        _ = lane.leased(leased(1, nextDue: at(60)), at: start)
        lane.judged(.failed(reason: "r", retryAfter: nil))
        lane.settled(due: at(5))
        #expect(lane.next(at: start) == .wait(until: at(5)))
        #expect(lane.next(at: at(5)) == .lease(limit: 1))
        #expect(lane.leased(.failure(.diskFull), at: at(5)).isEmpty)
        #expect(lane.next(at: at(5)) == .wait(until: at(6)))
        #expect(lane.underWay == 0)
    }

    @Test func `an endpoint that was gone is open again once somebody says so`() {
        var lane = WebhookLane(at: start)
        _ = lane.next(at: start)
        _ = lane.leased(leased(1, nextDue: nil), at: start)
        lane.judged(.gone)
        lane.settled(due: nil)
        #expect(lane.isGone)
        lane.resume(at: at(7))
        #expect(!lane.isGone)
        #expect(lane.next(at: at(7)) == .lease(limit: 8))
    }

    @Test func `a closed lane hands out nothing more`() {
        var lane = WebhookLane(at: start)
        lane.close()
        #expect(lane.next(at: start) == .rest)
    }
}
