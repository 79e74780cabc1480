import Inbox
import Push
import Testing

struct OneSignalVerdictTests {
    static let id = #""id":"b15ba6e5-2223-49d6-9eda-684b9051f5a8""#
    static let settled = now - .seconds(600)
    static let busy = Verdict.busy(retryAfter: nil, scope: .provider)

    static let token = "u-1"
    private let token = Self.token

    @Test(arguments: [
        (200, "{\(id)}", Verdict.accepted), (200, #"{\#(id),"external_id":null}"#, .accepted),
        (200, #"{\#(id),"errors":["one of many"]}"#, .accepted),
        // An id is a yes, whatever errors says.
        (200, #"{\#(id),"errors":{"invalid_aliases":{"external_id":["u-1"]}}}"#, .accepted),
        (200, #"{\#(id),"errors":{"invalid_subscription_ids":["u-1"]}}"#, .accepted),
        (200, #"{"errors":{"invalid_player_ids":["u-1"]},\#(id)}"#, .accepted),
        (200, #"{\#(id),"errors":{}}"#, .accepted),
        (200, #"{"id":"","errors":{"invalid_player_ids":["u-1"]}}"#, .deviceGone(since: settled)),
        (200, #"{"id":null,"errors":{"invalid_subscription_ids":["u-0","U-1"]}}"#, .deviceGone(since: settled)),
        (200, #"{"errors":{"invalid_subscription_ids":["u-1"]}}"#, .deviceGone(since: settled)),
        // The answer does not name this subscription properly.
        (200, #"{"id":"","errors":{"invalid_player_ids":[]}}"#, .refused(reason: "HTTP 200")),
        (200, #"{"id":"","errors":{"invalid_subscription_ids":["u-2"]}}"#, .refused(reason: "HTTP 200")),
        (200, #"{"id":"","errors":{"invalid_subscription_ids":"u-1"}}"#, .refused(reason: "HTTP 200")),
        (200, #"{"id":"","errors":{"invalid_aliases":{"external_id":["u-1"]}}}"#, .refused(reason: "HTTP 200")),
        (200, #"{"id":"","errors":{}}"#, .refused(reason: "HTTP 200")),
        (200, #"{"id":"","errors":["All included players are not subscribed"]}"#, .refused(reason: "not subscribed")),
        (200, #"{"id":""}"#, .refused(reason: "HTTP 200")), (200, "{}", .refused(reason: "HTTP 200")),
        (200, "<html>", .refused(reason: "HTTP 200")),
        (
            400, #"{"errors":["Incorrect player_id format (not a valid UUID): 7"]}"#,
            .refused(reason: "no subscription id")
        ),
        (400, #"{"errors":["app_id not found"]}"#, .keyRefused("wrong app_id")),
        (404, #"{"errors":["app_id not found"]}"#, .keyRefused("wrong app_id")),
        (400, #"{"errors":["something about u-5ec4e7"]}"#, .refused(reason: "HTTP 400")),
        (400, #"{"errors":[{}]}"#, .refused(reason: "HTTP 400")), (400, "", .refused(reason: "HTTP 400")),
        (
            401, #"{"errors":["Access denied.  Please include an 'Authorization: ...' header"]}"#,
            .keyRefused("access denied")
        ),
        (403, "", .keyRefused("HTTP 403")), (401, "<html>", .keyRefused("HTTP 401")),
        (404, "", .refused(reason: "HTTP 404")),
        (409, "{}", .busy(retryAfter: nil, scope: .device)), (408, "", busy),
        (429, #"{"errors":["API rate limit exceeded"]}"#, busy), (500, "", busy), (503, "<html>", busy),
    ])
    func `each reply has a verdict`(status: Int, body: String, verdict: Verdict) {
        #expect(
            OneSignalVerdict(PushReply(status: status, body: Array(body.utf8)), to: token, at: now).verdict == verdict)
    }

    @Test(arguments: [
        (#"{"invalid_aliases":{"external_id":["ada"]}}"#, true), (#"{"invalid_external_user_ids":["ada"]}"#, true),
        (#"{"invalid_aliases":{"external_id":["ada","tom"],"other":[]}}"#, true),
        (#"{"invalid_aliases":{"external_id":["Ada"]}}"#, false), (#"{"invalid_aliases":{"external_id":[]}}"#, false),
        (#"{"invalid_aliases":{"onesignal_id":["ada"]}}"#, false), (#"{"invalid_aliases":["ada"]}"#, false),
        (#"{"invalid_player_ids":["ada"]}"#, false), (#"{"invalid_aliases":{}}"#, false),
    ])
    func `a user is gone when the list of users names that one`(errors: String, isGone: Bool) {
        let reply = PushReply(status: 200, body: Array(#"{"id":"","errors":\#(errors)}"#.utf8))
        let verdict = OneSignalVerdict(reply, to: "user:ada", at: now).verdict
        #expect(verdict == (isGone ? .deviceGone(since: Self.settled) : .refused(reason: "HTTP 200")))
    }

    @Test func `a user whose id is a number is found as one`() {
        let body = #"{"id":"","errors":{"invalid_aliases":{"external_id":[42]}}}"#
        let reply = PushReply(status: 200, body: Array(body.utf8))
        #expect(OneSignalVerdict(reply, to: "user:42", at: now).verdict == .deviceGone(since: Self.settled))
    }

    @Test(arguments: [429, 503])
    func `its own delay is kept to`(status: Int) {
        let reply = PushReply(status: status, headers: [("retry-after", "30")])
        #expect(
            OneSignalVerdict(reply, to: token, at: now).verdict == .busy(retryAfter: .seconds(30), scope: .provider))
    }

    @Test func `a device that registered a moment ago is tried again before it counts as gone`() {
        let body = #"{"id":"","errors":{"invalid_subscription_ids":["u-1"]}}"#
        let verdict = OneSignalVerdict(PushReply(status: 200, body: Array(body.utf8)), to: token, at: now).verdict
        var attempt = PushAttempt(expiry: now + .seconds(3_600))
        let young = device(provider: .onesignal, registeredAt: now - .seconds(599))
        #expect(attempt.settle(verdict, at: now, jitter: 0, device: young) == .retry(at: now + .seconds(10)))
        let old = device(provider: .onesignal, registeredAt: now - .seconds(601))
        #expect(attempt.settle(verdict, at: now, jitter: 0, device: old) == .forgetDevice)
    }
}
