import Inbox
import Push
import Testing

struct FCMVerdictTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let status: Int
        /// Google's word and, if there is one, FCM's.
        let words: (status: String, code: String?)
        var message = "…"
        var field: String?
        let verdict: Verdict
        var isTokenExpired = false

        var testDescription: String { "\(status) \(words.code ?? words.status) \(field ?? "")" }

        var body: String {
            var details: [String] = []
            if let code = words.code {
                details.append(
                    #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}"#)
            }
            if let field {
                details.append(
                    #"{"@type":"type.googleapis.com/google.rpc.BadRequest","#
                        + #""fieldViolations":[{"field":"\#(field)","description":"…"}]}"#)
            }
            return #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(words.status)","details":["#
                + details.joined(separator: ",") + "]}}"
        }
    }

    static let busy = Verdict.busy(retryAfter: nil, scope: .provider)
    static let rows = [
        Row(status: 404, words: ("NOT_FOUND", "UNREGISTERED"), verdict: .deviceGone(since: nil)),
        Row(status: 404, words: ("NOT_FOUND", nil), verdict: .keyRefused("NOT_FOUND")),
        Row(
            status: 400, words: ("INVALID_ARGUMENT", "INVALID_ARGUMENT"),
            message: "The registration token is not a valid FCM registration token", verdict: .deviceGone(since: nil)),
        Row(
            status: 400, words: ("INVALID_ARGUMENT", "INVALID_ARGUMENT"), message: "Invalid registration token",
            field: "message.token", verdict: .deviceGone(since: nil)),
        Row(
            status: 400, words: ("INVALID_ARGUMENT", "INVALID_ARGUMENT"), message: "Android message is too big",
            verdict: .refused(reason: "INVALID_ARGUMENT")),
        Row(
            status: 400, words: ("INVALID_ARGUMENT", nil), message: "Invalid value", field: "message.data[0].value",
            verdict: .refused(reason: "INVALID_ARGUMENT at message.data")),
        Row(
            status: 400, words: ("INVALID_ARGUMENT", "INVALID_ARGUMENT"),
            message: "Invalid ttl for this registration token", field: "message.android.ttl",
            verdict: .refused(reason: "INVALID_ARGUMENT at message.android.ttl")),
        Row(
            status: 403, words: ("PERMISSION_DENIED", "SENDER_ID_MISMATCH"),
            verdict: .refused(reason: "SENDER_ID_MISMATCH")),
        Row(status: 403, words: ("PERMISSION_DENIED", nil), verdict: .keyRefused("PERMISSION_DENIED")),
        Row(
            status: 401, words: ("UNAUTHENTICATED", nil), verdict: .keyRefused("UNAUTHENTICATED"),
            isTokenExpired: true),
        // Apple's or the browsers' part of the Firebase project: Android's devices go on.
        Row(
            status: 401, words: ("UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR"),
            verdict: .keyRefused("THIRD_PARTY_AUTH_ERROR", scope: .device)),
        // FCM's own code counts, whatever stands beside it.
        Row(status: 400, words: ("INVALID_ARGUMENT", "UNREGISTERED"), verdict: .deviceGone(since: nil)),
        Row(status: 410, words: ("GONE", "UNREGISTERED"), verdict: .deviceGone(since: nil)),
        Row(status: 403, words: ("PERMISSION_DENIED", "UNREGISTERED"), verdict: .deviceGone(since: nil)),
        Row(
            status: 404, words: ("NOT_FOUND", "SENDER_ID_MISMATCH"), verdict: .refused(reason: "SENDER_ID_MISMATCH")),
        Row(
            status: 403, words: ("PERMISSION_DENIED", "QUOTA_EXCEEDED"),
            verdict: .busy(retryAfter: .seconds(60), scope: .provider)),
        Row(status: 400, words: ("FAILED_PRECONDITION", "UNAVAILABLE"), verdict: busy),
        Row(
            status: 404, words: ("NOT_FOUND", "INVALID_ARGUMENT"), message: "Not a valid FCM registration token",
            verdict: .deviceGone(since: nil)),
        Row(status: 410, words: ("GONE", nil), verdict: .refused(reason: "GONE")),
        Row(
            status: 429, words: ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
            verdict: .busy(retryAfter: .seconds(60), scope: .provider)),
        Row(status: 500, words: ("INTERNAL", "INTERNAL"), verdict: busy),
        Row(status: 503, words: ("UNAVAILABLE", "UNAVAILABLE"), verdict: busy),
        Row(status: 502, words: ("SOMETHING_NEW", nil), verdict: busy),
    ]

    @Test(arguments: rows)
    func `each of Google's errors has a verdict`(_ row: Row) {
        let verdict = FCMVerdict(PushReply(status: row.status, body: Array(row.body.utf8)), at: now)
        #expect(verdict.verdict == row.verdict)
        #expect(verdict.isTokenExpired == row.isTokenExpired)
    }

    @Test(arguments: [
        (200, #"{"name":"projects/p/messages/1"}"#, Verdict.accepted), (200, "", .accepted),
        (400, "<html>", .refused(reason: "HTTP 400")), (404, "<html>", .refused(reason: "HTTP 404")),
        (400, #"{"error":{"status":"two words"}}"#, .refused(reason: "HTTP 400")),
        (400, #"{"error":"text"}"#, .refused(reason: "HTTP 400")), (302, "", .refused(reason: "HTTP 302")),
        (403, "<html>", .keyRefused("HTTP 403")), (503, "gateway", busy), (408, "", busy),
        (400, "[]", .refused(reason: "HTTP 400")), (429, "", .busy(retryAfter: .seconds(60), scope: .provider)),
    ])
    func `a reply is judged whatever its body holds`(status: Int, body: String, verdict: Verdict) {
        #expect(FCMVerdict(PushReply(status: status, body: Array(body.utf8)), at: now).verdict == verdict)
    }

    private static let fcmError =
        #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}"#
    private static let otherDetails =
        #"{"@type":"type.googleapis.com/google.rpc.BadRequest"},7,"text",{"errorCode":"two words"},"#
        + #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.ApnsError","errorCode":"BadDeviceToken"}"#

    @Test(
        arguments: [
            #"[{"error":{"status":"NOT_FOUND","details":[\#(fcmError)]}}]"#,
            #"{"error":[{"status":"NOT_FOUND","details":[\#(fcmError)]}]}"#,
            #"{"error":{"details":[\#(otherDetails),\#(fcmError)],"status":"NOT_FOUND"}}"#,
            #"{"error":{"details":[\#(fcmError),\#(otherDetails)]}}"#,
            #"{"error":{"details":\#(fcmError)}}"#, #"{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}"#,
        ], [400, 404, 410])
    func `FCM's own code is found wherever it stands`(body: String, status: Int) {
        let verdict = FCMVerdict(PushReply(status: status, body: Array(body.utf8)), at: now).verdict
        #expect(verdict == .deviceGone(since: nil))
    }

    @Test(arguments: [429, 500, 503])
    func `Google's own delay is kept to`(status: Int) {
        let reply = PushReply(status: status, headers: [("retry-after", "17")])
        #expect(FCMVerdict(reply, at: now).verdict == .busy(retryAfter: .seconds(17), scope: .provider))
    }
}
