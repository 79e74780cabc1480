import Inbox
import Push
import Testing
import WireProtocol

@testable import Gateway

struct DeviceRequestTests {
    /// The browser of RFC 8291 §5.
    private static let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    private static let endpoint = "https://push.example/s/1"
    private static let player = "b4f7f966-d8cc-11e4-bed1-df8f05be55ba"

    private let request: DeviceRequest
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    init() throws {
        var settings = Settings()
        settings.push.webPush.hosts = ["push.example"]
        request = DeviceRequest(user: try #require(UserID("sarah")), now: now, settings: settings)
    }

    private func read(_ json: String, id: String = "phone-1") throws(Problem) -> Device {
        var warnings: [String] = []
        defer { #expect(warnings.isEmpty) }
        return try request.device(id: id, Array(json.utf8), &warnings)
    }

    // MARK: What is read

    @Test func `a phone tells all there is to know about it`() throws {
        let device = try read(
            """
            {"provider": "apns", "token": "A1B2C3", "app": "rooms", "platform": "iOS", "environment": "sandbox",
             "locale": "pt_BR", "zone": "America/Argentina/Buenos_Aires", "permission": "provisional"}
            """)
        let expected = Device(
            id: "phone-1", app: "rooms", provider: .apns, token: "a1b2c3", platform: "ios", environment: .sandbox,
            locale: "pt-BR", zone: "America/Argentina/Buenos_Aires", permission: .provisional, registeredAt: now)
        #expect(device == expected)
    }

    @Test func `a provider and a token are enough, and null is as good as nothing`() throws {
        let expected = Device(id: "phone-1", provider: .fcm, token: "dQw4:APA91b-_", registeredAt: now)
        #expect(try read(#"{"provider": "fcm", "token": "dQw4:APA91b-_"}"#) == expected)
        let nulls = #""app": null, "locale": null, "zone": null, "permission": null, "keys": null, "externalId": null"#
        #expect(try read(#"{"provider": "fcm", "token": "dQw4:APA91b-_", \#(nulls)}"#) == expected)
    }

    @Test(arguments: [
        ("zone", #""Europe/Nowhere""#), ("zone", #""PST""#), ("zone", #""IST""#), ("zone", #""GMT+05:30""#),
        ("zone", #""UTC+2""#), ("zone", #""../../etc/passwd""#), ("zone", "7"), ("zone", "[]"), ("zone", #""""#),
        ("locale", #""english, please""#), ("locale", #""C""#), ("locale", #""POSIX""#), ("locale", #""C.UTF-8""#),
        ("locale", #""xx-YY""#), ("locale", "true"), ("locale", #""""#), ("locale", #""de\u0000x""#),
        ("permission", #""maybe""#), ("permission", "1"), ("platform", #""""#), ("platform", #""a\nb""#),
        ("platform", "{}"),
    ])
    func `a hint that is not understood is dropped with a warning, and the device is registered`(
        _ member: String, _ value: String
    ) throws {
        var warnings: [String] = []
        let json = #"{"provider": "apns", "token": "a1b2", "\#(member)": \#(value)}"#
        let device = try request.device(id: "ph", Array(json.utf8), &warnings)
        #expect(device == Device(id: "ph", provider: .apns, token: "a1b2", registeredAt: now))
        #expect(warnings.count == 1 && warnings.allSatisfy { $0.hasPrefix("\(member): dropped; expected ") })
    }

    @Test(arguments: [
        ("en_US@calendar=buddhist", "en-US"), ("de_DE.UTF-8", "de-DE"), ("de_DE@euro", "de-DE"), ("iw_IL", "he-IL"),
        ("zh_TW", "zh-Hant-TW"), ("in", "id"),
    ])
    func `a locale in any of the usual spellings is one`(_ locale: String, _ tag: String) throws {
        #expect(try read(#"{"provider": "apns", "token": "a1", "locale": "\#(locale)"}"#).locale == tag)
    }

    @Test(arguments: ["CET", "EST5EDT", "US/Pacific", "Etc/GMT+5", "GB", "Asia/Calcutta", "Zulu"])
    func `each name of the time zone database is a zone, links included`(_ zone: String) throws {
        #expect(try read(#"{"provider": "apns", "token": "a1", "zone": "\#(zone)"}"#).zone == zone)
    }

    @Test func `OneSignal finds a device by its subscription, or all of a person's by the person`() throws {
        let one = try read(#"{"provider": "onesignal", "token": "\#(Self.player.uppercased())"}"#)
        #expect(one.token == Self.player)
        let all = try read(#"{"provider": "onesignal", "externalId": true}"#)
        #expect(all.token == "user:sarah")
    }

    @Test func `a browser's address and keys are read from a registration and from its subscription alike`() throws {
        let keys = #"{"p256dh": "\#(Self.point)", "auth": "\#(Self.secret)"}"#
        let end = now + .seconds(3_600)
        let rest = #""expirationTime": \#(end.milliseconds), "scope": "https://app.example/""#
        let registered = try read(
            #"{"provider": "webpush", "token": "\#(Self.endpoint)", "keys": \#(keys), "platform": "web", \#(rest)}"#)
        let json = #"{"endpoint": "\#(Self.endpoint)", "keys": \#(keys), \#(rest)}"#
        let subscribed = try request.subscription(id: "phone-1", app: "rooms", Array(json.utf8))
        #expect(subscribed.token == Self.endpoint)
        #expect(registered.token == Self.endpoint)
        #expect(try #require(registered.keys).auth.count == 16)
        #expect(subscribed.keys == registered.keys)
        #expect((subscribed.scope, registered.scope) == ("https://app.example/", "https://app.example/"))
        #expect((subscribed.expiresAt, registered.expiresAt) == (end, end))
        #expect((subscribed.app, subscribed.permission, subscribed.platform) == ("rooms", .granted, "web"))
    }

    @Test(arguments: [
        "7", "player-1", "B4F7F966", "b4f7f966-d8cc-11e4-bed1-df8f05be55bax", "ä", String(repeating: "x", count: 128),
    ])
    func `OneSignal alone judges player ids`(player: String) throws {
        let device = try request.player(app: "", Array(#"{"playerId": "\#(player)"}"#.utf8))
        #expect((device.id, device.token) == ("player:" + player, player))
        #expect(try read(#"{"provider": "onesignal", "token": "\#(player)"}"#).token == player)
    }

    @Test(arguments: ["0", "1", "-1", "null", "all", "NA", "00000000-0000-0000-0000-000000000000"])
    func `a person whose id OneSignal takes for nobody cannot be found by it`(id: String) throws {
        let strange = DeviceRequest(user: try #require(UserID(id)), now: now, settings: Settings())
        var warnings: [String] = []
        let found = problem { () throws(Problem) in
            _ = try strange.device(id: "d", Array(#"{"provider": "onesignal", "externalId": true}"#.utf8), &warnings)
        }
        let told = try #require(found)
        #expect((told.status, told.code, told.pointer) == (400, "restricted_external_id", "/externalId"))
        // One of the subscriptions by its own id is as good as anybody's.
        _ = try strange.device(
            id: "d", Array(#"{"provider": "onesignal", "token": "\#(Self.player)"}"#.utf8), &warnings)
        #expect(warnings.isEmpty)
    }

    @Test func `a player id names a device of its own`() throws {
        let device = try request.player(app: "", Array(#"{"playerId": "\#(Self.player)", "more": 1}"#.utf8))
        #expect(
            device == Device(id: "player:" + Self.player, provider: .onesignal, token: Self.player, registeredAt: now))
    }

    @Test func `a launched app tells its token by its own names, and what else it sends is passed over`() throws {
        let body = Array(#"{"device_id": "phone-1", "apns_token": "A1B2", "version": 7}"#.utf8)
        let device = try RegisterDeviceRequest(body, app: "", at: now).device
        #expect(device == Device(id: "phone-1", provider: .apns, token: "a1b2", registeredAt: now))
    }

    // MARK: What is refused

    static let mistakes: [(json: String, code: String, pointer: String?)] = [
        ("", "invalid_json", nil),
        ("[]", "wrong_type", nil),
        ("{}", "missing_field", "/provider"),
        (#"{"provider": "sms", "token": "a"}"#, "invalid_value", "/provider"),
        (#"{"provider": 1, "token": "a"}"#, "wrong_type", "/provider"),
        (#"{"provider": "apns"}"#, "missing_field", "/token"),
        (#"{"provider": "apns", "token": null}"#, "missing_field", "/token"),
        (#"{"provider": "apns", "token": 12}"#, "wrong_type", "/token"),
        (#"{"provider": "apns", "token": ""}"#, "invalid_value", "/token"),
        (#"{"provider": "apns", "token": "a1b"}"#, "invalid_value", "/token"),
        (#"{"provider": "apns", "token": "xyzz"}"#, "invalid_value", "/token"),
        (#"{"provider": "apns", "token": "１２"}"#, "invalid_value", "/token"),
        (#"{"provider": "apns", "token": "\#(String(repeating: "ab", count: 101))"}"#, "invalid_value", "/token"),
        (#"{"provider": "fcm", "token": "a b"}"#, "invalid_value", "/token"),
        (#"{"provider": "fcm", "token": "é"}"#, "invalid_value", "/token"),
        (#"{"provider": "fcm", "token": "\#(String(repeating: "a", count: 4_097))"}"#, "invalid_value", "/token"),
        (#"{"provider": "onesignal", "token": "user:tom"}"#, "invalid_value", "/token"),
        (#"{"provider": "onesignal", "token": "user:"}"#, "invalid_value", "/token"),
        (#"{"provider": "onesignal", "token": "two words"}"#, "invalid_value", "/token"),
        (#"{"provider": "onesignal", "token": "\#(String(repeating: "x", count: 129))"}"#, "invalid_value", "/token"),
        (#"{"provider": "onesignal"}"#, "missing_field", "/token"),
        (#"{"provider": "onesignal", "externalId": false}"#, "missing_field", "/token"),
        (#"{"provider": "onesignal", "externalId": "sarah"}"#, "wrong_type", "/externalId"),
        (#"{"provider": "onesignal", "externalId": true, "token": "\#(player)"}"#, "invalid_value", "/token"),
        (#"{"provider": "apns", "externalId": true}"#, "invalid_value", "/externalId"),
        (#"{"provider": "webpush", "token": "\#(endpoint)"}"#, "invalid_value", "/keys"),
        (#"{"provider": "webpush", "keys": {}}"#, "invalid_value", "/token"),
        (#"{"provider": "webpush", "token": "https://other.example/s", "keys": {}}"#, "invalid_value", "/token"),
        (#"{"provider": "webpush", "token": "http://push.example/s", "keys": {}}"#, "invalid_value", "/token"),
        (#"{"provider": "fcm", "token": "a", "keys": {}}"#, "invalid_value", "/keys"),
        (#"{"provider": "fcm", "token": "a", "environment": "sandbox"}"#, "invalid_value", "/environment"),
        (#"{"provider": "apns", "token": "a1", "environment": "test"}"#, "invalid_value", "/environment"),
        (
            #"{"provider": "fcm", "token": "a", "app": "\#(String(repeating: "a", count: 101))"}"#, "invalid_value",
            "/app"
        ),
        (#"{"provider": "fcm", "token": "a", "tokn": "b"}"#, "unknown_field", "/tokn"),
        (#"{"provider": "fcm", "token": "a", "a/b~": "b"}"#, "unknown_field", "/a~1b~0"),
        (#"{"provider": "fcm", "token": "a", "token": "b"}"#, "invalid_value", "/token"),
    ]

    @Test(arguments: mistakes)
    func `a mistake is told with its code and its place, and without what was sent`(
        _ json: String, _ code: String, _ pointer: String?
    ) throws {
        let found = problem { () throws(Problem) in _ = try read(json) }
        let told = try #require(found)
        #expect((told.status, told.code, told.pointer) == (400, code, pointer))
        #expect(!told.detail.isEmpty && !told.detail.contains(Self.player))
    }

    @Test(arguments: ["", String(repeating: "é", count: 101), "a\u{0}b", "a\nb"])
    func `an id that could not stand in a log is refused`(_ id: String) throws {
        let found = problem { () throws(Problem) in _ = try read(#"{"provider": "fcm", "token": "a"}"#, id: id) }
        #expect(try #require(found).code == "invalid_parameter")
    }

    static let subscriptions: [(json: String, pointer: String?)] = [
        ("[]", ""),
        ("{}", "/endpoint"),
        (#"{"endpoint": "https://10.0.0.1/s", "keys": {}}"#, "/endpoint"),
        (#"{"endpoint": "\#(endpoint)"}"#, "/keys"),
        (#"{"endpoint": "\#(endpoint)", "scope": "/rooms"}"#, "/scope"),
        (#"{"endpoint": "\#(endpoint)", "expirationTime": 1}"#, "/expirationTime"),
        (#"{"endpoint": "\#(endpoint)", "keys": {"p256dh": "AAAA", "auth": "\#(secret)"}}"#, "/keys/p256dh"),
        (#"{"endpoint": "\#(endpoint)", "keys": {"p256dh": "\#(point)", "auth": "AA"}}"#, "/keys/auth"),
    ]

    @Test(arguments: subscriptions)
    func `a subscription that no push could reach is refused with the place of the mistake`(
        _ json: String, _ pointer: String?
    ) throws {
        let found = problem { () throws(Problem) in
            _ = try request.subscription(id: "web-1", app: "", Array(json.utf8))
        }
        let told = try #require(found)
        #expect((told.status, told.code, told.pointer) == (400, "invalid_value", pointer))
    }

    @Test(arguments: [
        ("{}", "missing_field"), (#"{"playerId": ""}"#, "wrong_type"), (#"{"playerId": "user:tom"}"#, "invalid_value"),
    ])
    func `a text that is no player id is refused`(_ json: String, _ code: String) throws {
        let found = problem { () throws(Problem) in _ = try request.player(app: "", Array(json.utf8)) }
        let told = try #require(found)
        #expect((told.code, told.pointer) == (code, "/playerId"))
    }
}
