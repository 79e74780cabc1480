import Inbox
import Push
import Testing

struct APNsVerdictTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let status: Int
        let reason: String
        let verdict: Verdict
        var isTokenExpired = false

        var testDescription: String { "\(status) \(reason)" }
    }

    static let refusals: [(Int, [String])] = [
        (
            400,
            [
                "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
                "DeviceTokenNotForTopic", "DuplicateHeaders", "InvalidPushType", "MissingDeviceToken", "MissingTopic",
                "PayloadEmpty", "TopicDisallowed",
            ]
        ),
        (404, ["BadPath"]), (405, ["MethodNotAllowed"]), (413, ["PayloadTooLarge"]),
    ]

    /// Those that are about what proves who sends, and so about all pushes.
    static let keyRefusals = [
        "BadCertificate", "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
        "SomethingNew",
    ]

    static let rows =
        refusals.flatMap { status, reasons in
            reasons.map { Row(status: status, reason: $0, verdict: .refused(reason: $0)) }
        }
        + keyRefusals.map { Row(status: 403, reason: $0, verdict: .keyRefused($0)) }
        // A key for one of the two environments: the other one's devices wait, and no others.
        + ["BadCertificateEnvironment", "BadEnvironmentKeyIdInToken"].map {
            Row(status: 403, reason: $0, verdict: .keyRefused($0, scope: .device))
        } + [
            Row(status: 400, reason: "IdleTimeout", verdict: .busy(retryAfter: nil, scope: .provider)),
            Row(
                status: 403, reason: "ExpiredProviderToken", verdict: .keyRefused("ExpiredProviderToken"),
                isTokenExpired: true),
            Row(status: 410, reason: "ExpiredToken", verdict: .deviceGone(since: nil)),
            Row(status: 410, reason: "Unregistered", verdict: .deviceGone(since: nil)),
            Row(status: 429, reason: "TooManyProviderTokenUpdates", verdict: .busy(retryAfter: nil, scope: .provider)),
            Row(status: 429, reason: "TooManyRequests", verdict: .busy(retryAfter: nil, scope: .device)),
            Row(status: 500, reason: "InternalServerError", verdict: .busy(retryAfter: nil, scope: .provider)),
            Row(status: 503, reason: "ServiceUnavailable", verdict: .busy(retryAfter: nil, scope: .provider)),
            Row(status: 503, reason: "Shutdown", verdict: .busy(retryAfter: nil, scope: .provider)),
            Row(status: 502, reason: "SomethingNew", verdict: .busy(retryAfter: nil, scope: .provider)),
            Row(status: 400, reason: "SomethingNew", verdict: .refused(reason: "SomethingNew")),
        ]

    @Test(arguments: rows)
    func `each of Apple's reasons has a verdict`(_ row: Row) {
        let verdict = APNsVerdict(
            PushReply(status: row.status, body: Array(#"{"reason":"\#(row.reason)"}"#.utf8)), at: now)
        #expect(verdict.verdict == row.verdict)
        #expect(verdict.isTokenExpired == row.isTokenExpired)
    }

    @Test(arguments: [
        (200, "", Verdict.accepted), (200, "anything", .accepted), (302, "", .refused(reason: "HTTP 302")),
        (400, "<html>", .refused(reason: "HTTP 400")), (400, #"{"reason":"two words"}"#, .refused(reason: "HTTP 400")),
        (400, #"{"reason":""}"#, .refused(reason: "HTTP 400")), (410, "", .deviceGone(since: nil)),
        (410, #"{"reason":"Unregistered","timestamp":1764000000000}"#, .deviceGone(since: now)),
        (403, "<html>", .keyRefused("HTTP 403")), (401, "", .keyRefused("HTTP 401")),
        (500, "gateway", .busy(retryAfter: nil, scope: .provider)),
        (429, "slow down", .busy(retryAfter: nil, scope: .provider)),
    ])
    func `a reply is judged whatever its body holds`(status: Int, body: String, verdict: Verdict) {
        #expect(APNsVerdict(PushReply(status: status, body: Array(body.utf8)), at: now).verdict == verdict)
    }

    @Test(arguments: [
        ("30", Duration.seconds(30)), ("0", .zero), ("99999999999999999999999", .seconds(86_400)), ("-1", nil),
        ("", nil), ("soon", nil), ("Mon, 24 Nov 2025 16:00:30 GMT", .seconds(30)), ("1.5", nil),
    ])
    func `a throttled reply tells when to come back`(value: String, delay: Duration?) {
        for status in [429, 500, 503] {
            let reply = PushReply(status: status, headers: [("retry-after", value)])
            #expect(APNsVerdict(reply, at: now).verdict == .busy(retryAfter: delay, scope: .provider))
        }
    }
}
