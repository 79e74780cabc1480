import Inbox
import JSON
import Testing

struct EventJSONTests {
    private let now: Timestamp

    init() throws { now = try Timestamp.at("2025-07-04T15:02:45Z") }

    @Test func `an event is read as a backend publishes it`() throws {
        let json = try JSONValue(
            parsing: """
                {"type": "comment_added", "key": "comment-42",
                 "actor": {"id": "user-123", "username": "pete", "firstName": "Pete", "avatarUrl": null},
                 "to": {"mentioned": ["user-7"], "participants": ["user-8", "user-9"]},
                 "data": {"room": {"id": "room-789"}, "comment": {"id": "42", "text": "@sarah what?"}},
                 "occurredAt": "2025-07-04T15:02:44.161Z", "notBefore": "2025-07-04T18:00:00+01:00",
                 "expiresAt": "2025-07-05T00:00:00Z", "push": {"when": "always", "urgency": "urgent"}}
                """)
        let event = try Event(json: json, at: now)
        let expected = Event(
            type: "comment_added", key: "comment-42",
            actor: ["id": "user-123", "username": "pete", "firstName": "Pete", "avatarUrl": nil],
            to: [
                .init(name: "mentioned", users: Rooms.users("user-7")),
                .init(name: "participants", users: Rooms.users("user-8", "user-9")),
            ],
            data: ["room": ["id": "room-789"], "comment": ["id": "42", "text": "@sarah what?"]],
            occurredAt: try Timestamp.at("2025-07-04T15:02:44.161Z"),
            notBefore: try Timestamp.at("2025-07-04T17:00:00Z"), expiresAt: try Timestamp.at("2025-07-05T00:00:00Z"),
            push: .always, urgency: .urgent)
        #expect(event == expected)
        #expect(event.actorID == "user-123")
    }

    @Test func `only a type and recipients are needed, and null is as good as nothing`() throws {
        let event = Event(type: "tick")
        #expect(try Event(json: ["type": "tick", "to": [:]], at: now) == event)
        let json: JSONValue = [
            "type": "tick", "to": [:], "key": nil, "actor": nil, "data": nil, "occurredAt": nil, "notBefore": nil,
            "expiresAt": nil, "push": nil,
        ]
        #expect(try Event(json: json, at: now) == event)
    }

    static let problems: [(json: String, code: String, pointer: String, message: String)] = [
        (#"[]"#, "wrong_type", "", "expected an object, found an array"),
        (#"{"to": {}}"#, "missing_field", "/type", "expected the event's type"),
        (#"{"type": 7, "to": {}}"#, "wrong_type", "/type", "expected a string, found a number"),
        (
            #"{"type": "x", "key": "a\u0000b", "to": {}}"#, "invalid_value", "/key",
            "expected a string without control characters"
        ),
        (
            #"{"type": "x", "key": "a\u001b[2J", "to": {}}"#, "invalid_value", "/key",
            "expected a string without control characters"
        ),
        (
            #"{"type": "x", "actor": {"id": "a\u0085"}, "to": {}}"#, "invalid_value", "/actor/id",
            "expected a string without control characters"
        ),
        (
            #"{"type": "x", "to": {"l": ["a\u0000b"]}}"#, "invalid_value", "/to/l/0",
            "expected a user id of 1 to 200 bytes, with at least one visible character and no control or direction characters"
        ),
        (#"{"type": "", "to": {}}"#, "invalid_value", "/type", "expected a string of 1 to 200 bytes"),
        (#"{"type": "x"}"#, "missing_field", "/to", "expected an object of recipient lists"),
        (#"{"type": "x", "to": ["a"]}"#, "wrong_type", "/to", "expected an object, found an array"),
        (
            #"{"type": "x", "to": {"a/b": "u"}}"#, "wrong_type", "/to/a~1b",
            "expected an array of user ids, or an object of users and topics, found a string"
        ),
        (
            #"{"type": "x", "to": {"l": ["a", 7]}}"#, "wrong_type", "/to/l/1",
            "expected a user id, or an object of user and data, found a number"
        ),
        (
            #"{"type": "x", "to": {"l": [""]}}"#, "invalid_value", "/to/l/0",
            "expected a user id of 1 to 200 bytes, with at least one visible character and no control or direction characters"
        ),
        (#"{"type": "x", "to": {"l": [], "l": []}}"#, "invalid_value", "/to/l", "expected each member once"),
        (
            #"{"type": "x", "to": {}, "data": {"room": {"id": 1, "id": 2}}}"#, "invalid_value", "/data/room/id",
            "expected each member once"
        ),
        (
            #"{"type": "x", "to": {}, "actor": {"id": "a", "badges": [{}, {"n": 1, "n": 1}]}}"#, "invalid_value",
            "/actor/badges/1/n", "expected each member once"
        ),
        (
            #"{"type": "x", "to": {"l": [{"user": "u", "data": {"a": {"b": 1, "b": 1}}}]}}"#, "invalid_value",
            "/to/l/0/data/a/b", "expected each member once"
        ),
        (
            #"{"type": "x", "to": {}, "data": {"text": "\#(String(repeating: "a", count: Event.maximumDataBytes))"}}"#,
            "invalid_value", "/data", "expected at most 65536 bytes of JSON"
        ),
        (
            #"{"type": "x", "to": {"l": [{"user": "u", "data": {"n": [0\#(String(repeating: ",0", count: 32_765))]}}]}}"#,
            "invalid_value", "/to/l/0/data", "expected at most 65536 bytes of JSON"
        ),
        (#"{"type": "x", "to": {}, "actor": {}}"#, "missing_field", "/actor/id", "expected the actor's user id"),
        (
            #"{"type": "x", "to": {}, "actor": {"id": 5}}"#, "wrong_type", "/actor/id",
            "expected a string, found a number"
        ),
        (#"{"type": "x", "to": {}, "data": []}"#, "wrong_type", "/data", "expected an object, found an array"),
        (
            #"{"type": "x", "to": {}, "occuredAt": 1}"#, "unknown_field", "/occuredAt",
            #"unknown member; did you mean "occurredAt"?"#
        ),
        (
            #"{"type": "x", "to": {}, "payload": 1}"#, "unknown_field", "/payload",
            "unknown member; expected type, key, actor, to, data, occurredAt, notBefore, expiresAt, push or question"
        ),
        (
            #"{"type": "x", "to": {}, "occurredAt": "2025-02-30T00:00:00Z"}"#, "invalid_value", "/occurredAt",
            "expected a date and time like 2025-07-04T15:02:44.161Z"
        ),
        (
            #"{"type": "x", "to": {}, "occurredAt": "2025-07-05T15:02:45.001Z"}"#, "invalid_value", "/occurredAt",
            "expected a time in the past, or at most a day ahead"
        ),
        (
            #"{"type": "x", "to": {}, "notBefore": "2025-08-03T15:02:45.001Z"}"#, "invalid_value", "/notBefore",
            "expected a time within the next 30 days"
        ),
        (
            #"{"type": "x", "to": {}, "expiresAt": "2025-07-04T15:02:45Z"}"#, "invalid_value", "/expiresAt",
            "expected a time in the future"
        ),
        (
            #"{"type": "x", "to": {}, "notBefore": "2025-07-05T00:00:00Z", "expiresAt": "2025-07-05T00:00:00Z"}"#,
            "invalid_value", "/expiresAt", "expected a time after notBefore"
        ),
        (
            #"{"type": "x", "to": {}, "push": {"when": "sometimes"}}"#, "invalid_value", "/push/when",
            "expected fallback, always or never"
        ),
        (
            #"{"type": "x", "to": {}, "push": {"urgensy": "low"}}"#, "unknown_field", "/push/urgensy",
            #"unknown member; did you mean "urgency"?"#
        ),
    ]

    @Test(arguments: problems)
    func `a mistake is told with its code, its place and what was expected`(
        _ json: String, _ code: String, _ pointer: String, _ message: String
    ) throws {
        let value = try JSONValue(parsing: json)
        let problem = try #require(throws: EventProblem.self) { try Event(json: value, at: now) }
        #expect(problem.code == code)
        #expect(problem.pointer == pointer)
        #expect(problem.message == message)
    }

    @Test(arguments: ["2020-01-01T00:00:00Z", "2025-08-03T15:02:45Z"])
    func `a push may be held for thirty days, and a time that has passed holds nothing`(_ time: String) throws {
        let event = try Event(json: ["type": "x", "to": [:], "notBefore": .string(time)], at: now)
        #expect(event.notBefore == (try Timestamp.at(time)))
    }

    @Test(arguments: [("key", "/key"), ("type", "/type")])
    func `a text of 200 bytes is taken and one of 201 is not`(_ member: String, _ pointer: String) throws {
        var json: JSONObject = ["type": "x", "to": [:]]
        json[member] = .string(String(repeating: "é", count: 100))
        _ = try Event(json: .object(json), at: now)
        json[member] = .string(String(repeating: "é", count: 100) + "x")
        let problem = try #require(throws: EventProblem.self) { try Event(json: .object(json), at: now) }
        #expect(problem.code == "invalid_value")
        #expect(problem.pointer == pointer)
    }

    @Test func `ten thousand recipients are taken and one more is not, over all lists`() throws {
        let users = (0..<9_999).map { JSONValue.string("user-\($0)") }
        let one: JSONValue = ["a"]
        let two: JSONValue = ["a", "b"]
        let event = try Event(json: ["type": "x", "to": ["l": .array(users), "m": one]], at: now)
        #expect(event.to.map(\.users.count) == [9_999, 1])
        let problem = try #require(throws: EventProblem.self) {
            try Event(json: ["type": "x", "to": ["l": .array(users), "m": two]], at: now)
        }
        #expect(problem.pointer == "/to")
        #expect(problem.message == "expected at most 10000 named recipients an event; use a topic for more")
    }

    @Test func `a problem never repeats what somebody wrote`() throws {
        let json: JSONValue = ["type": "x", "to": ["l": ["secret words"]], "occurredAt": "secret words"]
        let problem = try #require(throws: EventProblem.self) { try Event(json: json, at: now) }
        #expect(!problem.description.contains("secret"))
    }
}
