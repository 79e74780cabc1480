import Inbox
import Push
import Testing

struct WebPushVerdictTests {
    private func verdict(_ reply: PushReply) -> Verdict { WebPushVerdict(reply, bodyBytes: 4_096, at: now).verdict }

    @Test(
        arguments: [
            (200, .accepted), (201, .accepted), (202, .accepted), (204, .accepted),
            (404, .deviceGone(since: nil)), (410, .deviceGone(since: nil)),
            (429, .busy(retryAfter: nil, scope: .device)),
            // Microsoft's word for too many.
            (406, .busy(retryAfter: nil, scope: .device)),
            (408, .busy(retryAfter: nil, scope: .device)), (500, .busy(retryAfter: nil, scope: .device)),
            // ntfy's for a phone that has not connected lately.
            (507, .busy(retryAfter: nil, scope: .device)),
            (502, .busy(retryAfter: nil, scope: .device)), (503, .busy(retryAfter: nil, scope: .device)),
            (400, .refused(reason: "HTTP 400")), (401, .keyRefused("HTTP 401", scope: .device)),
            (403, .keyRefused("HTTP 403", scope: .device)), (413, .refused(reason: "HTTP 413")),
            (301, .refused(reason: "HTTP 301")), (405, .refused(reason: "HTTP 405")),
        ] as [(Int, Verdict)])
    func `a status has one meaning`(status: Int, expected: Verdict) {
        #expect(verdict(PushReply(status: status)) == expected)
    }

    @Test(
        arguments: [
            (200, #"{"id":"x","event":"message","topic":"up1"}"#, .accepted),
            (400, #"{"code":40009,"http":400,"error":"invalid request"}"#, .refused(reason: "HTTP 400, ntfy 40009")),
            // A topic that is closed to everybody without an account: not a fault of this server's key.
            (403, #"{"code":40301,"http":403,"error":"forbidden"}"#, .refused(reason: "HTTP 403, ntfy 40301")),
            (403, #"{"code":40301,"http":401,"error":"forbidden"}"#, .keyRefused("HTTP 403", scope: .device)),
            (404, #"{"code":40401,"http":404,"error":"page not found"}"#, .deviceGone(since: nil)),
            (429, #"{"code":42908,"http":429,"error":"limit reached"}"#, .busy(retryAfter: nil, scope: .device)),
            (507, #"{"code":50701,"http":507,"error":"no subscriber"}"#, .busy(retryAfter: nil, scope: .device)),
        ] as [(Int, String, Verdict)])
    func `a UnifiedPush server of ntfy's is understood`(status: Int, body: String, expected: Verdict) {
        #expect(verdict(PushReply(status: status, body: Array(body.utf8))) == expected)
    }

    @Test(arguments: [429, 406, 503])
    func `a service's own delay is kept`(status: Int) {
        let reply = PushReply(status: status, headers: [(name: "retry-after", value: "120")])
        #expect(verdict(reply) == .busy(retryAfter: .seconds(120), scope: .device))
    }

    @Test(arguments: [
        (413, #"{"errno":104}"#, "HTTP 413, errno 104: payload too large"), (400, #"{"errno":7}"#, "HTTP 400, errno 7"),
        (400, #"{"reason":"BadWebPushTopic"}"#, "BadWebPushTopic"),
        (400, #"{"reason":"<b>two words</b>"}"#, "HTTP 400"),
        (400, "the request is wrong", "HTTP 400"), (400, #"{"reason":7}"#, "HTTP 400"), (400, "[]", "HTTP 400"),
    ])
    func `a refusal is told in the service's own word or number, never its prose`(
        status: Int, body: String, reason: String
    ) {
        #expect(verdict(PushReply(status: status, body: Array(body.utf8))) == .refused(reason: reason))
    }

    @Test(arguments: [
        (403, #"{"reason":"BadJwtToken"}"#, "BadJwtToken"), (401, #"{"reason":"ExpiredJwtToken"}"#, "ExpiredJwtToken"),
        (401, #"{"code":401,"errno":109,"error":"Unauthorized"}"#, "HTTP 401, errno 109: invalid authentication"),
        (403, "invalid JWT provided", "HTTP 403"),
    ])
    func `a fault of the VAPID key is not the push's, nor the other services'`(
        status: Int, body: String, word: String
    ) {
        #expect(verdict(PushReply(status: status, body: Array(body.utf8))) == .keyRefused(word, scope: .device))
    }

    @Test(arguments: [
        (403, #"{"reason":"VapidPkHashMismatch"}"#),
        (403, "the VAPID credentials in the authorization header do not correspond to the credentials used to create"),
        (401, #"{"code":401,"errno":109,"message":"Request did not validate: VAPID public key mismatch"}"#),
    ])
    func `a subscription that was made with another key is refused`(status: Int, body: String) {
        let reply = PushReply(status: status, body: Array(body.utf8))
        #expect(verdict(reply) == .refused(reason: "VapidPkHashMismatch"))
    }

    @Test(arguments: [
        (
            400,
            ["x-wns-status": "dropped", "x-wns-error-description": "Ttl value conflicts with X-WNS-Cache-Policy."],
            Verdict.refused(reason: "HTTP 400, WNS: Ttl value conflicts with X-WNS-Cache-Policy")
        ),
        (400, ["x-wns-status": "dropped"], .refused(reason: "HTTP 400, WNS: dropped")),
        (413, ["x-wns-notificationstatus": "dropped"], .refused(reason: "HTTP 413, WNS: dropped")),
        (
            403, ["x-wns-error-description": "The token is invalid"],
            .keyRefused("HTTP 403, WNS: The token is invalid", scope: .device)
        ),
        // A text that may be an address, or a page, is not told.
        (
            400, ["x-wns-error-description": "no https://wns2.example/w/?token=a", "x-wns-status": "dropped"],
            .refused(reason: "HTTP 400, WNS: dropped")
        ),
        (400, ["x-wns-error-description": String(repeating: "a", count: 121)], .refused(reason: "HTTP 400")),
        (400, ["x-wns-error-description": " "], .refused(reason: "HTTP 400")),
    ])
    func `Microsoft's service says why in headers`(status: Int, headers: [String: String], expected: Verdict) {
        let reply = PushReply(status: status, headers: headers.map { (name: $0.key, value: $0.value) })
        #expect(verdict(reply) == expected)
    }

    @Test(
        arguments: [
            (413, "", 4_096, 3_070), (413, "", 3_000, 2_250), (413, "", 690, 517), (413, "", 680, nil),
            (400, "", 4_096, nil),
            (
                413,
                "This message is intended for a constrained device and is limited to 3070 bytes. Converted buffer too long",
                3_500, 3_070
            ),
            (413, "Data payload too large, limit is 2048 bytes, current is 3070 bytes", 3_070, 2_048),
            // A limit that would change nothing, or leave nothing.
            (413, "limited to 4096 bytes", 4_096, 3_070), (413, "limit 10", 4_096, 3_070),
            (413, "limits", 2_000, 1_500),
            // A body that is smaller than any limit that would be followed.
            (413, "limited to 300 bytes", 400, nil),
        ] as [(Int, String, Int, Int?)])
    func `a body that is too large may be tried with less`(status: Int, text: String, bytes: Int, expected: Int?) {
        let reply = PushReply(status: status, body: Array(#"{"errno":104,"message":"\#(text)"}"#.utf8))
        #expect(WebPushVerdict(reply, bodyBytes: bytes, at: now).retryBytes == expected)
    }
}
