import Inbox
import Push
import Testing

struct WebPushVerdictTests {
    @Test(
        arguments: [
            (200, .accepted), (201, .accepted), (202, .accepted),
            (404, .deviceGone(since: nil)), (410, .deviceGone(since: nil)),
            (429, .busy(retryAfter: nil, scope: .device)),
            (408, .busy(retryAfter: nil, scope: .device)), (500, .busy(retryAfter: nil, scope: .device)),
            (502, .busy(retryAfter: nil, scope: .device)), (503, .busy(retryAfter: nil, scope: .device)),
            (400, .refused(reason: "HTTP 400")), (401, .refused(reason: "HTTP 401")),
            (403, .refused(reason: "HTTP 403")), (413, .refused(reason: "HTTP 413")),
            (301, .refused(reason: "HTTP 301")), (405, .refused(reason: "HTTP 405")),
        ] as [(Int, Verdict)])
    func `a status has one meaning`(status: Int, verdict: Verdict) {
        #expect(WebPushVerdict(PushReply(status: status)).verdict == verdict)
    }

    @Test(arguments: [(429, Verdict.Scope.device), (503, .device)])
    func `a service's own delay is kept`(status: Int, scope: Verdict.Scope) {
        let reply = PushReply(status: status, headers: [(name: "retry-after", value: "120")])
        #expect(WebPushVerdict(reply).verdict == .busy(retryAfter: .seconds(120), scope: scope))
    }

    @Test(arguments: [
        (403, #"{"reason":"VapidPkHashMismatch"}"#, "VapidPkHashMismatch"),
        (401, #"{"code":401,"errno":109,"error":"Unauthorized"}"#, "HTTP 401, errno 109: invalid authentication"),
        (413, #"{"errno":104}"#, "HTTP 413, errno 104: payload too large"), (400, #"{"errno":7}"#, "HTTP 400, errno 7"),
        (403, #"{"reason":"<b>two words</b>"}"#, "HTTP 403"), (403, "the key in the header", "HTTP 403"),
        (400, #"{"reason":7}"#, "HTTP 400"), (400, "[]", "HTTP 400"),
    ])
    func `a refusal is told in the service's own word or number, never its prose`(
        status: Int, body: String, reason: String
    ) {
        #expect(WebPushVerdict(PushReply(status: status, body: Array(body.utf8))).verdict == .refused(reason: reason))
    }
}
