import Inbox
import Push
import Testing

struct PushAttemptTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        var failures = 0
        let verdict: Verdict
        var jitter = 0.5
        var registeredAt = now - .seconds(3_600)
        var expiry = now + .seconds(7_200)
        let action: PushAction
        var failuresAfter = 0

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "accepted ends the job", verdict: .accepted, action: .finish),
        Row(
            name: "accepted ends the job even after its expiry", verdict: .accepted, expiry: now - .seconds(1),
            action: .finish),
        Row(name: "gone without a time forgets the device", verdict: .deviceGone(since: nil), action: .forgetDevice),
        Row(
            name: "gone after its registration forgets the device", verdict: .deviceGone(since: now - .seconds(60)),
            action: .forgetDevice),
        Row(
            name: "registered since it went is in use again", verdict: .deviceGone(since: now - .seconds(60)),
            registeredAt: now - .seconds(59), action: .retry(at: now + .seconds(15)), failuresAfter: 1),
        Row(
            name: "registered in the same moment stays", verdict: .deviceGone(since: now - .seconds(60)),
            registeredAt: now - .seconds(60), action: .retry(at: now + .seconds(15)), failuresAfter: 1),
        Row(
            name: "busy waits ten seconds at least", verdict: .busy(retryAfter: nil, scope: .device), jitter: 0,
            action: .retry(at: now + .seconds(10)), failuresAfter: 1),
        Row(
            name: "the wait grows with the failures", failures: 3, verdict: .busy(retryAfter: nil, scope: .device),
            jitter: 0.5,
            action: .retry(at: now + .seconds(50)), failuresAfter: 4),
        Row(
            name: "the provider's delay wins, shorter", failures: 3,
            verdict: .busy(retryAfter: .seconds(2), scope: .provider),
            action: .retry(at: now + .seconds(2)), failuresAfter: 4),
        Row(
            name: "the provider's delay wins, longer", verdict: .busy(retryAfter: .seconds(1_800), scope: .provider),
            action: .retry(at: now + .seconds(1_800)), failuresAfter: 1),
        Row(
            name: "a delay of nothing is a second", verdict: .busy(retryAfter: .zero, scope: .provider),
            action: .retry(at: now + .seconds(1)), failuresAfter: 1),
        Row(
            name: "no retry at or after the expiry", verdict: .busy(retryAfter: .seconds(60), scope: .provider),
            expiry: now + .seconds(60), action: .abandon(reason: "expired"), failuresAfter: 1),
        Row(
            name: "only its expiry ends it, however often it failed", failures: 10_000,
            verdict: .busy(retryAfter: nil, scope: .provider), jitter: 0, action: .retry(at: now + .seconds(10)),
            failuresAfter: 10_001),
        Row(
            name: "refused is never tried again", verdict: .refused(reason: "TopicDisallowed"),
            action: .abandon(reason: "TopicDisallowed")),
    ]

    @Test(arguments: rows)
    func `a verdict leads to one action`(_ row: Row) {
        var attempt = PushAttempt(failures: row.failures, expiry: row.expiry)
        let action = attempt.settle(
            row.verdict, at: now, jitter: row.jitter, device: device(registeredAt: row.registeredAt))
        #expect(action == row.action)
        #expect(attempt.failures == row.failuresAfter)
    }

    @Test(arguments: [(1, 10, 20), (2, 10, 30), (3, 10, 50), (6, 10, 330), (7, 10, 600), (19, 10, 600), (500, 10, 600)])
    func `the delay is random over a window that doubles up to a limit`(failures: Int, least: Int, most: Int) {
        #expect(Backoff.delay(afterFailures: failures, jitter: 0) == .seconds(least))
        #expect(Backoff.delay(afterFailures: failures, jitter: 0.999_999) <= .seconds(most))
        #expect(Backoff.delay(afterFailures: failures, jitter: 0.999_999) > .seconds(most) - .milliseconds(10))
    }

    @Test func `printing a job or a request shows neither token nor text`() throws {
        let job = try job(device: device(token: "5ec4e7"))
        #expect(!"\(job.device)".contains("5ec4e7"))
        #expect(!String(reflecting: job.device).contains("5ec4e7"))
        let settings = APNsSettings(bundleID: "org.example.rooms", isSandbox: false)
        let request =
            "\(PushRequest(apns: job.message, to: job.device, settings: settings, authorization: "bearer be4re7"))"
        #expect(!request.contains("5ec4e7") && !request.contains("be4re7") && !request.contains("Pete"))
    }
}
