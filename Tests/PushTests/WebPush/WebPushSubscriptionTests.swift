import Inbox
import JSON
import Push
import Testing

struct WebPushSubscriptionTests {
    static let good: JSONObject = [
        "endpoint": "https://fcm.googleapis.com/fcm/send/abc", "expirationTime": nil,
        "keys": ["p256dh": .string(RFC8291.browserPublicKey), "auth": .string(RFC8291.auth)],
    ]

    private func read(_ json: JSONValue) throws -> WebPushSubscription {
        try WebPushSubscription(json, hosts: ["fcm.googleapis.com"], at: now)
    }

    @Test func `a browser's subscription is read`() throws {
        let subscription = try read(.object(Self.good))
        #expect(subscription.endpoint.url == "https://fcm.googleapis.com/fcm/send/abc")
        #expect(
            subscription.keys
                == WebPushKeys(
                    p256dh: try bytes(RFC8291.browserPublicKey), auth: try bytes(RFC8291.auth)))
        #expect(subscription.expiration == nil)
    }

    @Test func `our own subscriber's subscription is read`() throws {
        let browser = WebPushSubscriber.random(id: "abc", baseURL: pushService, applicationServerKey: nil)
        let json = try JSONValue(parsing: browser.subscriptionJSON)
        let subscription = try WebPushSubscription(json, hosts: ["push.example:4443"], at: now)
        #expect(subscription.endpoint.url == browser.endpoint)
        #expect(subscription.keys == browser.keys)
    }

    @Test func `keys in plain base64 with padding are read`() throws {
        var plain = Self.good
        let key = RFC8291.browserPublicKey.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        plain["keys"] = ["p256dh": .string(String(key) + "="), "auth": .string("BTBZMqHH6r4Tts7J/aSIgg==")]
        #expect(try read(.object(plain)).keys == (try read(.object(Self.good)).keys))
    }

    @Test(
        arguments: [
            (.int(1_764_000_000_001), 1_764_000_000_001), (.double(1_764_000_000_001.5), 1_764_000_000_001),
            (.double(1e300), nil), (.int(.max), nil), (.null, nil),
        ] as [(JSONValue, Int64?)])
    func `a time of expiry is read`(json: JSONValue, milliseconds: Int64?) throws {
        var object = Self.good
        object["expirationTime"] = json
        #expect(try read(.object(object)).expiration == milliseconds.map { Timestamp(milliseconds: $0) })
    }

    @Test(
        arguments: [
            ("endpoint", nil, "/endpoint", "the push service's URL"), ("endpoint", .int(1), "/endpoint", "a number"),
            ("endpoint", "https://evil.example/x", "/endpoint", "the host of a push service"),
            ("expirationTime", .int(1_764_000_000_000), "/expirationTime", "a time in the future"),
            ("expirationTime", "soon", "/expirationTime", "a time in the future"),
            ("expirationTime", .double(-1e300), "/expirationTime", "a time in the future"),
            ("expirationTime", .int(.min), "/expirationTime", "a time in the future"),
            ("keys", nil, "/keys", "p256dh and auth"), ("keys", [], "/keys", "p256dh and auth"),
            ("keys", [:], "/keys/p256dh", "65 bytes"),
            ("keys", ["p256dh": .string(RFC8291.browserPublicKey)], "/keys/auth", "16 bytes"),
            ("keys", ["p256dh": .string(RFC8291.browserPublicKey), "auth": "AAAA"], "/keys/auth", "16 bytes"),
            ("keys", ["p256dh": .string(RFC8291.browserPublicKey), "auth": .int(1)], "/keys/auth", "found a number"),
            ("keys", ["p256dh": "?", "auth": .string(RFC8291.auth)], "/keys/p256dh", "65 bytes"),
            ("keys", ["p256dh": .string(RFC8291.auth), "auth": .string(RFC8291.auth)], "/keys/p256dh", "65 bytes"),
            (
                "keys",
                [
                    "p256dh": .string("BAEB" + String(repeating: "AQEB", count: 20) + "AQE"),
                    "auth": .string(RFC8291.auth),
                ],
                "/keys/p256dh", "point on P-256"
            ),
        ] as [(String, JSONValue?, String, String)])
    func `a wrong member is named with what was expected`(
        member: String, value: JSONValue?, pointer: String, hint: String
    ) throws {
        var object = Self.good
        object[member] = value
        let problem = #expect(throws: WebPushSubscriptionProblem.self) { try read(.object(object)) }
        #expect(problem?.pointer == pointer)
        #expect(problem?.reason.contains(hint) == true, "\(problem?.reason ?? "")")
        #expect(problem?.reason.hasPrefix("expected") == true)
    }

    @Test func `a body that is no object is refused as a whole`() {
        #expect(throws: WebPushSubscriptionProblem.self) { try read("https://fcm.googleapis.com/x") }
        #expect((#expect(throws: WebPushSubscriptionProblem.self) { try read([]) })?.pointer == "")
    }
}
