import Foundation
import Inbox
import JSON
import Testing

struct UserSettingsTests {
    private static let now = Timestamp(milliseconds: 1_736_942_400_000)  // 2025-01-15T12:00:00Z

    private static let rooms = SubjectKinds(["room"])

    private static func settings(_ json: JSONValue) throws -> UserSettings { try UserSettings(json) }

    // MARK: Reading and writing

    @Test func `written settings are read back`() throws {
        let json: JSONValue = [
            "rev": 3,
            "preferences": [
                "types": ["LIKE": ["push": false], "SAID": ["inApp": true]],
                "categories": ["room": ["inApp": false, "push": false]],
            ],
            "mutes": [
                ["subject": "actor:u7", "until": nil], ["subject": "room:789", "until": "2025-02-01T00:00:00.000Z"],
            ],
            "quietHours": [
                "zone": "Europe/Berlin",
                "windows": [["days": ["mon", "sun"], "from": "22:00", "to": "07:05"]],
            ],
            "snooze": ["until": "2025-01-16T00:00:00.000Z"],
        ]
        #expect(try Self.settings(json).json == json)
        #expect(try Self.settings([:]) == UserSettings())
        #expect(try Self.settings([:]).isUsual)
        #expect(try Self.settings(["rev": 9]).isUsual)
        #expect(try !Self.settings(json).isUsual)
    }

    @Test(
        arguments: [
            (["mute": []], "unknown_field", "/mute"),
            (["mutes": [["subject": "room"]]], "invalid_value", "/mutes/0/subject"),
            (["mutes": [["until": nil]]], "missing_field", "/mutes/0/subject"),
            (["mutes": [["subject": "room:7", "until": "soon"]]], "invalid_value", "/mutes/0/until"),
            (["preferences": ["types": ["LIKE": ["email": true]]]], "unknown_field", "/preferences/types/LIKE/email"),
            (["preferences": ["types": ["LIKE": ["push": "no"]]]], "wrong_type", "/preferences/types/LIKE/push"),
            (["quietHours": [:]], "missing_field", "/quietHours/windows"),
            (["quietHours": ["zone": "Berlin", "windows": []]], "invalid_value", "/quietHours/zone"),
            (["quietHours": ["windows": [["days": ["monday"]]]]], "invalid_value", "/quietHours/windows/0/days/0"),
            (["quietHours": ["windows": [["from": "22:00"]]]], "missing_field", "/quietHours/windows/0/days"),
            (
                ["quietHours": ["windows": [["days": ["mon"], "from": "24:00", "to": "07:00"]]]], "invalid_value",
                "/quietHours/windows/0/from"
            ),
            (
                ["quietHours": ["windows": [["days": ["mon"], "from": "7:00", "to": "08:00"]]]], "invalid_value",
                "/quietHours/windows/0/from"
            ),
            (
                ["quietHours": ["windows": [["days": ["mon"], "from": "07:00", "to": "24:01"]]]], "invalid_value",
                "/quietHours/windows/0/to"
            ),
            (["snooze": ["until": 7]], "wrong_type", "/snooze/until"),
            (["quietHours": ["windows": many(51, window)]], "invalid_value", "/quietHours/windows"),
            (["mutes": many(1_001, ["subject": "room:7"])], "invalid_value", "/mutes"),
            (["preferences": ["types": choices(1_001)]], "invalid_value", "/preferences/types"),
            (["preferences": ["categories": choices(1_001)]], "invalid_value", "/preferences/categories"),
        ] as [(JSONValue, String, String)])
    func `a mistake, or more than may be kept, is told with its place`(json: JSONValue, code: String, pointer: String)
        throws
    {
        let problem = try #require(throws: PreferenceProblem.self) { try Self.settings(json) }
        #expect((problem.code, problem.pointer) == (code, pointer))
    }

    private static let window: JSONValue = ["days": ["mon"], "from": "22:00", "to": "07:00"]

    private static func many(_ count: Int, _ element: JSONValue) -> JSONValue {
        .array(Array(repeating: element, count: count))
    }

    private static func choices(_ count: Int) -> JSONValue {
        .object(JSONObject((0..<count).map { JSONObject.Member(key: "T\($0)", value: ["push": false]) }))
    }

    @Test func `as much is kept as may be`() throws {
        let settings = try Self.settings([
            "preferences": ["types": Self.choices(1_000), "categories": Self.choices(1_000)],
            "quietHours": ["windows": Self.many(50, Self.window)],
        ])
        #expect(settings.types.count == 1_000 && settings.categories.count == 1_000)
        #expect(settings.quietHours?.windows.count == 50)
    }

    @Test func `of one member written twice neither counts`() throws {
        let json = try JSONValue(parsing: Array(#"{"preferences":{"types":{"A":{"push":true},"A":null}}}"#.utf8))
        let problem = try #require(throws: PreferenceProblem.self) { try Self.settings(json) }
        #expect(problem.pointer == "/preferences/types/A")
    }

    // MARK: Changing

    @Test func `a preference that is taken back is the app's again`() throws {
        var settings = UserSettings()
        #expect(
            try settings.apply(.preferences(.init(["types": ["LIKE": ["push": false, "inApp": true]]])), at: Self.now))
        #expect(try settings.apply(.preferences(.init(["types": ["LIKE": ["push": nil]]])), at: Self.now))
        #expect(settings.types == [ExactText("LIKE"): ChannelChoice(inApp: true)])
        #expect(try settings.apply(.preferences(.init(["types": ["LIKE": nil]])), at: Self.now))
        #expect(settings.isUsual)
        #expect(settings.revision == 3)
    }

    @Test func `a change that changes nothing is none`() throws {
        var settings = UserSettings()
        #expect(try !settings.apply(.unmute(ExactText("room:7")), at: Self.now))
        #expect(try !settings.apply(.snooze(until: Self.now), at: Self.now))
        #expect(settings.revision == 0)
    }

    @Test func `settings that are over are forgotten at the next change`() throws {
        var settings = UserSettings()
        _ = try settings.apply(
            .mute(ExactText("room:7"), until: Self.now + .seconds(60), known: Self.rooms), at: Self.now)
        _ = try settings.apply(.snooze(until: Self.now + .seconds(60)), at: Self.now)
        _ = try settings.apply(.mute(ExactText("room:8"), until: nil, known: Self.rooms), at: Self.now + .seconds(60))
        #expect(settings.mutes.keys.map(\.text) == ["room:8"])
        #expect(settings.snoozedUntil == nil)
    }

    @Test func `subjects can be muted up to a limit`() throws {
        var settings = UserSettings()
        for number in 0..<UserSettings.maximumMutes {
            _ = try settings.apply(.mute(ExactText("room:\(number)"), until: nil, known: Self.rooms), at: Self.now)
        }
        let full = settings
        #expect(throws: PreferenceProblem.self) {
            try settings.apply(.mute(ExactText("room:x"), until: nil, known: Self.rooms), at: Self.now)
        }
        #expect(settings == full)
        #expect(
            try settings.apply(
                .mute(ExactText("room:0"), until: Self.now + .seconds(1), known: Self.rooms), at: Self.now))
    }

    @Test(
        arguments: [
            (["hours": 8], 8 * 3_600), (["hours": .double(0.5)], 1_800), (["until": "2025-01-15T13:00:00Z"], 3_600),
        ] as [(JSONValue, Int)])
    func `a snooze is so many hours, or until a moment`(json: JSONValue, seconds: Int) throws {
        #expect(try SettingsChange.snooze(json, at: Self.now) == .snooze(until: Self.now + .seconds(seconds)))
    }

    @Test(
        arguments: [
            [:], ["hours": 0], ["hours": 721], ["hours": "8"], ["until": "2025-01-15T12:00:00Z"],
            ["until": "2026-01-15T12:00:00Z"], ["hours": 1, "until": "2025-01-15T13:00:00Z"],
        ] as [JSONValue])
    func `no other snooze is one`(json: JSONValue) {
        #expect(throws: PreferenceProblem.self) { try SettingsChange.snooze(json, at: Self.now) }
    }

    // MARK: Holding back

    @Test func `a snooze that ends in quiet hours goes over into them, and the other way round`() throws {
        var settings = try Self.settings([
            "quietHours": ["windows": [["days": ["wed"], "from": "13:00", "to": "14:00"]]],
            "snooze": ["until": "2025-01-15T13:30:00Z"],
        ])
        let two = try #require(Timestamp(iso8601: "2025-01-15T14:00:00Z"))
        let first = try #require(settings.hold(at: Self.now, in: .gmt))
        #expect((first.end, first.cause) == (two, .quietHours))
        settings.snoozedUntil = two + .seconds(60)
        let second = try #require(settings.hold(at: Self.now, in: .gmt))
        #expect((second.end, second.cause) == (two + .seconds(60), .snooze))
        settings.snoozedUntil = nil
        #expect(settings.hold(at: Self.now, in: .gmt) == nil)
    }
}
