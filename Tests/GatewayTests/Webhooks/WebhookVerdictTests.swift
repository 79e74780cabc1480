import Inbox
import Store
import Testing

@testable import Gateway

/// The statuses and the schedule are those of Standard Webhooks 1.0.0.
struct WebhookVerdictTests {
    private static let fresh = Webhook(id: "msg_1", failures: 0, body: [])
    private let now = Timestamp(milliseconds: 1_000_000)

    @Test(arguments: [200, 201, 204, 299]) func `any 2xx is delivered`(_ status: Int) {
        #expect(WebhookVerdict(status: status, retryAfter: nil) == .delivered)
    }

    @Test(arguments: [100, 301, 302, 307, 400, 401, 404, 429, 500, 502, 503, 504])
    func `anything else fails, redirects included`(_ status: Int) {
        #expect(
            WebhookVerdict(status: status, retryAfter: nil) == .failed(reason: "status \(status)", retryAfter: nil))
    }

    @Test func `410 ends the endpoint, and the webhook is a dead letter`() {
        let verdict = WebhookVerdict(status: 410, retryAfter: nil)
        #expect(verdict == .gone)
        #expect(
            verdict.outcome(of: Self.fresh, at: now, chance: 0)
                == .buried(id: "msg_1", at: now, failures: 1, reason: "status 410"))
    }

    @Test func `ten tries are made within the schedule, and then it is a dead letter`() {
        let verdict = WebhookVerdict.failed(reason: "r", retryAfter: nil)
        var (time, starts) = (now, [Int64(0)])
        for failures in 0..<9 {
            let webhook = Webhook(id: "msg_1", failures: failures, body: [])
            guard case .putOff("msg_1", let due, failures + 1, "r") = verdict.outcome(of: webhook, at: time, chance: 0)
            else {
                Issue.record("no other try after \(failures)")
                return
            }
            time = due
            starts.append((due - now).components.seconds)
        }
        // The specification's table, in seconds since the start.
        #expect(starts == [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105])
        let last = Webhook(id: "msg_1", failures: 9, body: [])
        #expect(
            verdict.outcome(of: last, at: time, chance: 0.5)
                == .buried(id: "msg_1", at: time, failures: 10, reason: "r"))
    }

    @Test func `chance makes a wait longer by a fifth at most, and Retry-After is waited for`() {
        func wait(_ retryAfter: Duration?, chance: Double) -> Duration? {
            let verdict = WebhookVerdict(status: 503, retryAfter: retryAfter)
            guard case .putOff(_, let due, _, _) = verdict.outcome(of: Self.fresh, at: now, chance: chance) else {
                return nil
            }
            return due - now
        }
        #expect(wait(nil, chance: 0) == .seconds(5))
        #expect(wait(nil, chance: 1) == .seconds(6))
        #expect(wait(.seconds(2), chance: 0) == .seconds(5))
        #expect(wait(.seconds(90), chance: 1) == .seconds(90))
    }
}
