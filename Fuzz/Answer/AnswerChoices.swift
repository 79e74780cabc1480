import Inbox
import JSON
import Push

/// An answer that the bytes of an input make up: mostly one that a service has been seen to give, with changes.
struct AnswerChoices {
    static let now = Timestamp(milliseconds: 1_764_000_000_000)
    static let instant = ContinuousClock().systemEpoch + .seconds(1_000_000)
    /// What an answer must not carry into a log.
    static let secret = "Zx9secretZx9"
    static let account: ServiceAccount = {
        let text = """
            {"type": "service_account", "project_id": "p", "client_email": "e@p", "private_key": "-----BEGIN \(secret)"}
            """
        guard let account = try? ServiceAccount(parsing: text) else { fatalError("an account that is not read") }
        return account
    }()

    private static let bodies = [
        #"{"reason":"Unregistered","timestamp":1764000000000}"#,
        #"{"reason":"ExpiredProviderToken"}"#, #"{"reason":"TooManyRequests"}"#,
        #"{"error":{"code":404,"message":"m","status":"NOT_FOUND","details":[{"@type":"type.googleapis.com/"#
            + #"google.firebase.fcm.v1.FcmError","errorCode":"UNREGISTERED"}]}}"#,
        #"[{"error":{"status":"INVALID_ARGUMENT","message":"The registration token is not valid","details":"#
            + #"[{"fieldViolations":[{"field":"message.token","description":"d"}]},{"errorCode":"INVALID_ARGUMENT"}]}}]"#,
        #"{"id":"","errors":["All included players are not subscribed"]}"#,
        #"{"id":"x","errors":{"invalid_subscription_ids":["subscription"],"invalid_aliases":{"external_id":["u"]}}}"#,
        #"{"code":40301,"http":403,"error":"forbidden"}"#, #"{"errno":104,"message":"limited to 3070 bytes"}"#,
        #"{"access_token":"ya29.token","expires_in":3599,"token_type":"Bearer"}"#, #"{"error":"invalid_grant"}"#,
        #"{"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/keys"}"#, #"{"keys":[{"kty":"RSA"}]}"#,
        "", "<html>", "VapidPkHashMismatch",
    ]
    private static let members = [
        "reason", "timestamp", "error", "errors", "status", "message", "details", "@type", "errorCode",
        "fieldViolations", "field", "id", "invalid_subscription_ids", "invalid_aliases", "external_id", "code", "http",
        "errno", "access_token", "expires_in", "issuer", "jwks_uri", "keys",
    ]
    private static let texts = [
        "Unregistered", "BadDeviceToken", "UNREGISTERED", "INVALID_ARGUMENT", "QUOTA_EXCEEDED", "message.token",
        "subscription", "u", secret, "limit 9999999999999999999", "https://issuer.example", "reason\nwith a line",
        "\u{661}\u{662}", "http://issuer.example",
    ]
    private static let headers = [
        (
            "retry-after",
            [
                "0", "7", "86401", "99999999999999999999", "-1", "\u{661}", "1.5", "7 7",
                "Sun, 06 Nov 2094 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 31 Dec 9999 23:59:60 GMT", "",
                "-9223372036854775808", "9223372036854775807",
            ]
        ),
        (
            "cache-control",
            ["max-age=60", "no-store", "max-age=2147483647", "max-age=-2147483648", "public, max-age=\"7\""]
        ),
        ("age", ["0", "2147483647", "-2147483648"]),
        ("expires", ["Sun, 06 Nov 2094 08:49:37 GMT", "0", "Sun, 31 Dec 9999 23:59:60 GMT"]),
        ("date", ["Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 01 Jan 0000 00:00:00 GMT"]),
        ("x-wns-status", ["dropped", "https://\(secret)", "two words.", "."]),
        ("x-wns-error-description", ["", "\u{7}", String(repeating: "w", count: 121)]),
    ]

    var choices: Choices

    init(_ bytes: [UInt8]) { choices = Choices(bytes) }

    mutating func token() -> String { choices.pick(["subscription", "SUBSCRIPTION", "user:u", "other"]) }

    mutating func reply() -> PushReply {
        let statuses = [200, 400, 401, 403, 404, 406, 408, 409, 410, 413, 429, 500, 503, 502, 201, 202, 301, 507, 599]
        var reply = PushReply(status: choices.pick(statuses))
        for _ in 0..<choices.number(below: 4) {
            let (name, values) = choices.pick(Self.headers)
            reply.headers.append((name, choices.text(values)))
        }
        reply.body = choices.broken(body())
        return reply
    }

    private mutating func body() -> [UInt8] {
        switch choices.number(below: 3) {
        case 0: return Array(choices.pick(Self.bodies).utf8)
        case 1: return choices.json(members: Self.members, texts: Self.texts).encoded
        default: return choices.bytes(upTo: 200)
        }
    }
}
