import Inbox
import JSON
import Testing

struct RecipientTests {
    private let now: Timestamp

    init() throws { now = try Timestamp.at("2025-07-04T15:02:45Z") }

    private func lists(_ json: String) throws -> [Event.RecipientList] {
        try Event(json: JSONValue(parsing: #"{"type": "x", "to": \#(json)}"#), at: now).to
    }

    static let forms: [(json: String, list: Event.RecipientList)] = [
        (#"["a", "b"]"#, .init(name: "l", users: Rooms.users("a", "b"))),
        (
            #"["a", {"user": "b", "data": {"n": 1}}, {"user": "c"}]"#,
            .init(name: "l", users: Rooms.users("a", "b", "c"), own: [Rooms.users("b")[0]: ["n": 1]])
        ),
        (#"{"users": ["a"]}"#, .init(name: "l", users: Rooms.users("a"))),
        (#"{"topic": "room:1"}"#, .init(name: "l", topics: ["room:1"])),
        (
            #"{"users": [{"user": "a", "data": {}}], "topic": "room:1", "topics": ["role:admin", "x"]}"#,
            .init(
                name: "l", users: Rooms.users("a"), own: [Rooms.users("a")[0]: [:]],
                topics: ["room:1", "role:admin", "x"])
        ),
        (#"{"all": true}"#, .init(name: "l", isEverybody: true)),
    ]

    @Test(arguments: forms)
    func `a recipient list names people, topics or everybody`(_ json: String, _ list: Event.RecipientList) throws {
        #expect(try lists(#"{"l": \#(json)}"#) == [list])
    }

    @Test func `of a person's own data the first counts`() throws {
        let list = try lists(#"{"l": [{"user": "a", "data": {"n": 1}}, {"user": "a", "data": {"n": 2}}]}"#)[0]
        #expect(list.own == [Rooms.users("a")[0]: ["n": 1]])
    }

    static let mistakes: [(json: String, pointer: String, message: String)] = [
        (#"7"#, "/to/l", "expected an array of user ids, or an object of users and topics, found a number"),
        (#"{}"#, "/to/l/users", "expected users, topic, topics or all"),
        (#"{"topc": "a"}"#, "/to/l/topc", #"unknown member; did you mean "topic"?"#),
        (#"{"all": false}"#, "/to/l/all", "expected true"),
        (#"{"all": true, "topic": "a"}"#, "/to/l/topic", "unknown member; expected all"),
        (#"{"topic": ""}"#, "/to/l/topic", "expected a string of 1 to 200 bytes"),
        (#"{"topic": "a\nb"}"#, "/to/l/topic", "expected a string without control characters"),
        (#"{"topics": ["a\nb"]}"#, "/to/l/topics/0", "expected \(TopicName.expectation)"),
        (#"{"topics": "a"}"#, "/to/l/topics", "expected an array of topics, found a string"),
        (#"{"topics": ["a", 1]}"#, "/to/l/topics/1", "expected a topic's name, found a number"),
        (#"{"users": "a"}"#, "/to/l/users", "expected an array of user ids, found a string"),
        (
            #"{"users": ["a", ""]}"#, "/to/l/users/1",
            "expected a user id of 1 to 200 bytes, with at least one visible character and no control or direction characters"
        ),
        (#"[{"data": {}}]"#, "/to/l/0/user", "expected a user id"),
        (#"[{"user": "a", "date": {}}]"#, "/to/l/0/date", #"unknown member; did you mean "data"?"#),
        (#"[{"user": "a", "data": 1}]"#, "/to/l/0/data", "expected an object, found a number"),
        (#"[["a"]]"#, "/to/l/0", "expected a user id, or an object of user and data, found an array"),
    ]

    @Test(arguments: mistakes)
    func `a mistake is told with its place`(_ json: String, _ pointer: String, _ message: String) throws {
        let problem = try #require(throws: EventProblem.self) { try lists(#"{"l": \#(json)}"#) }
        #expect(problem.pointer == pointer)
        #expect(problem.message == message)
    }

    @Test func `so many people may be named and no more, over all lists`() throws {
        let many = (1...Event.maximumRecipients).map { #""u\#($0)""# }.joined(separator: ",")
        #expect(try lists(#"{"l": [\#(many)]}"#)[0].users.count == Event.maximumRecipients)
        let problem = try #require(throws: EventProblem.self) { try lists(#"{"l": [\#(many)], "m": ["a"]}"#) }
        #expect(problem.pointer == "/to")
        #expect(throws: EventProblem.self) { try lists(#"{"l": [\#(many), "a"]}"#) }
    }

    @Test func `stored users may have names with control characters, as they were taken once`() throws {
        let json = #"{"type": "x\n", "key": "k\u001b", "actor": {"id": "a\u0085"}, "to": {}}"#
        #expect(throws: EventProblem.self) { try Event(json: JSONValue(parsing: json), at: now) }
        let event = try Array(json.utf8).withUnsafeBytes { try Event(stored: JSONNode(parsing: $0)) }
        #expect((event.type, event.key, event.actorID) == ("x\n", "k\u{1B}", "a\u{85}"))
        let page = #"{"l": ["b\n", {"user": "c\u0085", "data": {"n": 1}}], "m": {"users": ["d\n"]}}"#
        let lists = try Array(page.utf8).withUnsafeBytes { try Event.recipients(stored: JSONNode(parsing: $0)) }
        #expect(lists.map { $0.users.map(\.name) } == [["b\n", "c\u{85}"], ["d\n"]])
        #expect(lists.map { $0.own.count } == [1, 0])
    }

    @Test func `an event that is kept without its people and read with some of them is the same event`() throws {
        let json = """
            {"type": "x", "key": "k", "actor": {"id": "a", "name": "Ann"}, "to": {"l": ["b"]},
             "data": {"n": [1, {"deep": null}]}, "occurredAt": "2025-07-04T15:02:44.161Z",
             "notBefore": "2025-07-04T16:00:00.000Z", "expiresAt": "2025-07-05T00:00:00.000Z",
             "push": {"when": "never", "urgency": "low"}}
            """
        for text in [json, #"{"type": "x", "to": {"l": [{"user": "b", "data": {"n": 1}}]}}"#] {
            let event = try Event(json: JSONValue(parsing: text), at: now)
            var kept = event.jsonWithoutRecipients
            #expect(kept["to"] == [:])
            kept["to"] = .object(JSONObject(event.to.map { .init(key: $0.name, value: $0.jsonOfUsers) }))
            #expect(try Event(json: .object(kept), at: now) == event)
        }
    }
}
