import Foundation
import Testing

@testable import BelfryClient

struct ServerAddressTests {
    @Test(arguments: [
        ("wss://push.example", "https://push.example", "wss://push.example/v1/live"),
        ("WSS://push.example/", "https://push.example", "wss://push.example/v1/live"),
        ("wss://push.example/v1/live", "https://push.example", "wss://push.example/v1/live"),
        ("https://push.example/belfry/v1/live/", "https://push.example/belfry", "wss://push.example/belfry/v1/live"),
        ("ws://127.0.0.1:8080", "http://127.0.0.1:8080", "ws://127.0.0.1:8080/v1/live"),
        ("http://[::1]:8080/a%20b/?x=1#y", "http://[::1]:8080/a%20b", "ws://[::1]:8080/a%20b/v1/live"),
    ])
    func `an address may be written in any of the usual ways`(_ text: String, _ base: String, _ live: String) throws {
        let url = try #require(URL(string: text))
        let address = try #require(ServerAddress(url))
        #expect(address.base.absoluteString == base && address.live.absoluteString == live)
        #expect(address.url("/api/x?y=1").absoluteString == base + "/api/x?y=1")
    }

    @Test(arguments: ["push.example", "ftp://push.example", "wss:///v1/live", "/v1/live", "file:///etc/hosts"])
    func `a text that is not a server's address is refused`(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(ServerAddress(url) == nil)
    }
}

struct JSONValueTests {
    @Test(arguments: [
        #"null"#, #"true"#, #"1"#, #"0"#, #"-9223372036854775808"#, #"1.5"#, #""a\"\/b""#, #"[]"#, #"{}"#,
        #"{"a":[1,true,null,{"b":"c"}],"d":""}"#,
    ])
    func `a value is written as it was read`(_ text: String) throws {
        let value = try JSONValue(parsing: Data(text.utf8))
        #expect(value.text == text.replacing(#"\/"#, with: "/"))
    }

    @Test func `true and 1 stay different, and a whole number is one however it is written`() throws {
        let value = try JSONValue(parsing: Data("[1, true, 5.0, 1e300, 18446744073709551615]".utf8))
        #expect(value.array?[0] == .integer(1) && value.array?[1] == .bool(true))
        #expect(value.array?[2].integer == 5 && value.array?[3].integer == nil)
        #expect(value.array?[4].integer == nil && value.array?[4].number == 18_446_744_073_709_551_616)
    }

    @Test(arguments: ["", "{", "nul", #"{"a":}"#]) func `a text that is not JSON is refused`(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONValue(parsing: Data(text.utf8)) }
    }

    @Test func `a frame begins with its type`() {
        #expect(ClientFrame(type: "token", members: ["token": "a\"b"]).text == #"{"type":"token","token":"a\"b"}"#)
        #expect(ClientFrame(type: "x").text == #"{"type":"x"}"#)
    }
}

struct NavigationTargetTests {
    @Test func `a tapped push opens what the catalog has put into it`() throws {
        let userInfo: [AnyHashable: Any] = [
            "aps": ["alert": ["title": "Room"], "badge": 2], "type": "added_to_room", "roomId": "room-789",
            "image": "https://example.com/p.jpg", "belfry": ["id": "n1-1", "rev": 1, "epoch": "e", "seq": 7],
        ]
        let target = try #require(NavigationTarget(userInfo: userInfo))
        #expect(target.type == "added_to_room" && target["roomId"] == "room-789" && target.notification == "n1-1")
        #expect(target.members == ["roomId": "room-789"])
    }

    @Test func `a deep link of the push comes before its other members`() throws {
        let userInfo: [AnyHashable: Any] = [
            "type": "x", "deepLink": ["type": "room", "roomId": "r"], "belfry": ["id": "n1-1"],
        ]
        #expect(NavigationTarget(userInfo: userInfo)?.type == "room")
    }

    @Test func `a push of somebody else's, or that names nothing, opens nothing`() {
        #expect(NavigationTarget(userInfo: ["type": "room"]) == nil)
        #expect(NavigationTarget(userInfo: ["belfry": ["id": "n1-1"]]) == nil)
        #expect(NavigationTarget(userInfo: ["belfry": ["id": "n1-1"], "type": Date()]) == nil)
    }

    @Test func `a push's buttons are those of its question`() throws {
        let push = try #require(
            PushContents(userInfo: ["belfry": ["id": "n1", "actions": [["id": "approve", "label": "Approve"]]]]))
        #expect(push.actions.map(\.id) == ["approve"] && push.actions.map(\.label) == ["Approve"])
    }

    @Test func `a question is open until it has an answer, or its time has ended`() throws {
        func question(_ members: String) throws -> InboxQuestion? {
            let row = #"{"id": "n1", "question": {"actions": [{"id": "a", "label": "A"}, {"id": "b"}]\#(members)}}"#
            return InboxNotification(try JSONValue(parsing: Data(row.utf8)))?.question
        }
        let end = Date(timeIntervalSince1970: 1_767_225_600)
        let open = try #require(
            try question(#", "answerBy": "2026-01-01T00:00:00.000Z", "default": "b", "answer": null"#))
        #expect(open.actions.map(\.label) == ["A", "b"] && open.fallback == "b" && open.answerBy == end)
        #expect(open.isOpen(at: end - 1) && !open.isOpen(at: end))
        let answered = try #require(
            try question(#", "answer": {"action": "a", "at": "2026-01-01T00:00:00.000Z", "by": "live"}"#))
        #expect(answered.answer?.action == "a" && answered.answer?.way == "live" && answered.answer?.at == end)
        #expect(!answered.isOpen(at: end - 1))
        let late = try #require(try question(#", "answer": {"action": null, "at": "x", "by": "expiry"}"#))
        #expect(late.answer?.action == nil && late.answer?.way == "expiry")
        #expect(InboxNotification(["id": "n1"])?.question == nil)
        #expect(InboxNotification(["id": "n1", "question": [:]])?.question == nil)
    }

    @Test func `a push without a text names what was dealt with elsewhere`() throws {
        let push = try #require(PushContents(userInfo: ["aps": ["badge": 2], "belfry": ["withdrawn": ["n1", "n2"]]]))
        #expect(push.withdrawn == ["n1", "n2"] && push.notification == nil)
    }

    @Test func `a notification's own link is its target`() throws {
        let row = try #require(
            InboxNotification(["id": "n1", "deepLink": ["type": "room", "roomId": "r", "actorId": "u", "show": nil]]))
        #expect(row.target?["roomId"] == "r" && row.target?["show"] == nil && row.target?.notification == "n1")
    }
}

struct ActivityGroupTests {
    private static func row(_ id: String, _ createdAt: String?) throws -> InboxNotification {
        let time: JSONValue = createdAt.map { .string($0) } ?? .null
        return try #require(InboxNotification(["id": .string(id), "createdAt": time]))
    }

    private static func groups(_ rows: [InboxNotification], now: String, zone: String, firstWeekday: Int)
        throws -> [String: [String]]
    {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        calendar.firstWeekday = firstWeekday
        let groups = ActivityGroup.groups(of: rows, now: try #require(Moment.date(now)), calendar: calendar)
        return Dictionary(uniqueKeysWithValues: groups.map { ($0.span.rawValue, $0.items.map(\.id)) })
    }

    @Test func `days are the viewer's, by the viewer's zone and week`() throws {
        // A Wednesday; the 23rd is a Sunday.
        let rows = [
            try Self.row("later", "2026-11-27T09:00:00.000Z"), try Self.row("now", "2026-11-26T01:00:00.000Z"),
            try Self.row("night", "2026-11-25T23:30:00Z"), try Self.row("monday", "2026-11-23T12:00:00.000Z"),
            try Self.row("sunday", "2026-11-22T12:00:00.000Z"), try Self.row("old", "2020-01-01T00:00:00.000Z"),
            try Self.row("timeless", nil),
        ]
        let now = "2026-11-26T08:00:00.000Z"
        #expect(
            try Self.groups(rows, now: now, zone: "UTC", firstWeekday: 2) == [
                "today": ["later", "now"], "yesterday": ["night"], "thisWeek": ["monday"],
                "earlier": ["sunday", "old", "timeless"],
            ])
        #expect(
            try Self.groups(rows, now: now, zone: "Europe/Berlin", firstWeekday: 1) == [
                "today": ["later", "now", "night"], "thisWeek": ["monday", "sunday"], "earlier": ["old", "timeless"],
            ])
    }

    @Test func `on the first day of a week the day before is still yesterday`() throws {
        let rows = [try Self.row("a", "2026-11-22T12:00:00.000Z"), try Self.row("b", "2026-11-21T12:00:00.000Z")]
        #expect(
            try Self.groups(rows, now: "2026-11-23T08:00:00.000Z", zone: "UTC", firstWeekday: 2)
                == ["yesterday": ["a"], "earlier": ["b"]])
    }

    @Test func `groups and rows are ordered by when it happened, and equal times by the list`() throws {
        let rows = [
            try Self.row("a", "2026-11-26T01:00:00.000Z"), try Self.row("b", "2026-11-26T02:00:00.000Z"),
            try Self.row("c", "2026-11-26T01:00:00.000Z"),
        ]
        #expect(
            try Self.groups(rows, now: "2026-11-26T08:00:00.000Z", zone: "UTC", firstWeekday: 2)
                == ["today": ["b", "a", "c"]])
        #expect(ActivityGroup.groups(of: []).isEmpty)
    }
}
