import Inbox
import JSON
import Testing

struct RoutingTests {
    private func route(_ event: Event) throws -> RoutedEvent { try CatalogSet([Rooms.catalog()]).route(event) }

    private func comment(to lists: [(String, [String])], actor: JSONObject = Rooms.pete) -> Event {
        Event(
            type: "comment_added", actor: actor,
            to: lists.map { .init(name: $0.0, users: Rooms.users($0.1)) },
            data: ["room": Rooms.room("room-1", "Italy"), "comment": ["id": "1", "text": "hi"]])
    }

    static let routes: [(lists: [(String, [String])], groups: [String], suppressed: Int)] = [
        ([("participants", ["a", "b"])], ["COMMENT_ADDED: a b"], 0),
        ([("participants", ["a", "b"]), ("mentioned", ["b"])], ["MENTION: b", "COMMENT_ADDED: a"], 0),
        ([("mentioned", ["b", "b"]), ("participants", ["a", "b", "a"])], ["MENTION: b", "COMMENT_ADDED: a"], 0),
        ([("participants", ["a", "user-123"])], ["COMMENT_ADDED: a"], 1),
        ([("mentioned", ["user-123"]), ("participants", ["user-123"])], [], 1),
        ([("participants", ["a"]), ("watchers", ["a", "c", "d", "c"])], ["COMMENT_ADDED: a"], 2),
        ([("mentioned", []), ("participants", [])], [], 0),
        ([], [], 0),
    ]

    @Test(arguments: routes)
    func `the first route wins, each person once, and never the actor`(
        _ lists: [(String, [String])], _ groups: [String], _ suppressed: Int
    ) throws {
        let routed = try route(comment(to: lists))
        let found = routed.groups.map { "\($0.type.name): " + $0.users.map(\.name).joined(separator: " ") }
        #expect(found == groups)
        #expect(routed.suppressed == suppressed)
    }

    @Test func `a list that no route names is a warning and not an error`() throws {
        let routed = try route(comment(to: [("watchers", ["a"]), ("participants", ["b"]), ("mentionned", [])]))
        #expect(
            routed.warnings == [
                #"no route for recipient list "watchers"; expected mentioned or participants"#,
                #"no route for recipient list "mentionned"; did you mean "mentioned"?"#,
            ])
    }

    @Test(arguments: ["participant_left", "room_liked"])
    func `an event that concerns the owner goes to the owner only`(_ type: String) throws {
        let event = Event(
            type: type, actor: Rooms.sarah,
            to: [
                .init(name: "participants", users: Rooms.users("a", "b")),
                .init(name: "owner", users: Rooms.users("o")),
            ],
            data: ["room": Rooms.room("room-1", "Italy")])
        let routed = try route(event)
        #expect(routed.groups.map(\.users) == [Rooms.users("o")])
        #expect(routed.suppressed == 2)
    }

    @Test func `two lists that lead to one type share its content`() throws {
        let yaml = """
            catalog: alarms
            events: {rang: {routes: [{to: first, type: RANG}, {to: urgent, type: CALL}, {to: others, type: RANG}]}}
            types: {RANG: {text: rang}, CALL: {text: call}}
            """
        let event = Event(
            type: "rang",
            to: [
                .init(name: "others", users: Rooms.users("a", "b", "c")), .init(name: "first", users: Rooms.users("c")),
                .init(name: "urgent", users: Rooms.users("b")),
            ])
        let routed = try Catalog(yaml: yaml, file: "alarms.yaml").route(event)
        #expect(routed.groups.map(\.type.name) == ["RANG", "CALL"])
        #expect(routed.groups.map(\.users) == [Rooms.users("c", "a"), Rooms.users("b")])
    }

    @Test func `an unknown event type is refused with the nearest known one`() throws {
        let problem = try #require(throws: EventProblem.self) { try route(Event(type: "coment_added")) }
        #expect(problem.code == "unknown_event_type")
        #expect(problem.pointer == "/type")
        #expect(problem.message == #"no catalog has this event type; did you mean "comment_added"?"#)
    }

    static let problems: [(event: String, list: String, data: String, code: String, pointer: String)] = [
        ("room_liked", "owner", #"{}"#, "missing_field", "/data/room/name"),
        ("room_liked", "owner", #"{"room": {"id": "1"}}"#, "missing_field", "/data/room/name"),
        ("room_liked", "owner", #"{"room": {"id": "1", "name": null}}"#, "missing_field", "/data/room/name"),
        ("room_liked", "owner", #"{"room": {"id": "1", "name": ["x"]}}"#, "wrong_type", "/data/room/name"),
        ("room_liked", "owner", #"{"room": {"name": "x"}}"#, "missing_field", "/data/room/id"),
        ("room_liked", "owner", #"{"room": "x"}"#, "missing_field", "/data/room/name"),
        ("comment_liked", "author", #"{"room": {"id": "1", "name": "x"}}"#, "missing_field", "/data/comment/text"),
        (
            "comment_liked", "author", #"{"room": {"id": "1", "name": "x"}, "comment": {"text": 1}}"#, "wrong_type",
            "/data/comment/text"
        ),
        ("element_added", "participants", #"{"room": {"id": "1", "name": "x"}}"#, "missing_field", "/data/elements"),
        ("element_added", "participants", #"{"elements": []}"#, "invalid_value", "/data/elements"),
        ("element_added", "participants", #"{"elements": {}}"#, "wrong_type", "/data/elements"),
        ("element_added", "participants", #"{"elements": [{}]}"#, "missing_field", "/data/elements/0/kind"),
        (
            "element_added", "participants", #"{"elements": [{"kind": "photo"}, {"kind": "hologram"}]}"#,
            "invalid_value", "/data/elements/1/kind"
        ),
        (
            "element_added", "participants", #"{"elements": [{"kind": 1}]}"#, "wrong_type", "/data/elements/0/kind"
        ),
        (
            "element_added", "participants", #"{"elements": [{"kind": "photo"}], "room": {"name": "x"}}"#,
            "missing_field", "/data/room/id"
        ),
    ]

    @Test(arguments: problems)
    func `an event that lacks what its types show is refused before anything is kept`(
        _ type: String, _ list: String, _ data: String, _ code: String, _ pointer: String
    ) throws {
        let event = Event(
            type: type, actor: Rooms.sarah, to: [.init(name: list, users: Rooms.users("you"))],
            data: try #require(try JSONValue(parsing: data).object))
        let problem = try #require(throws: EventProblem.self) { try route(event) }
        #expect(problem.code == code)
        #expect(problem.pointer == pointer)
        #expect(!problem.message.contains("hologram"))
    }

    @Test func `an event without the actor that a text names is refused`() throws {
        var event = comment(to: [("participants", ["a"])])
        event.actor = nil
        let problem = try #require(throws: EventProblem.self) { try route(event) }
        #expect(problem.code == "missing_field")
        #expect(problem.pointer == "/actor")
    }
}
