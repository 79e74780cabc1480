import JSON
import Testing

@testable import Inbox

/// The warnings that a publisher gets about members that nothing reads.
struct KnownDataTests {
    private static let yaml = """
        catalog: rooms
        events:
          added:
            data: [room.id, room.name, elements, queries, extra]
            routes: [{to: participants, type: ADDED}, {to: owner, type: SEEN}]
          renamed: {routes: [{to: owner, type: SEEN}]}
        types:
          ADDED:
            text: "{{elements}} in {{room.name}}"
            batch:
              window: 5m
              by: [room.id]
              count: elements
              kind: kind
              nouns: {photo: {one: a photo, other: "{{count}} photos"}, note: {one: a note, other: "{{count}} notes"}}
              samples: {thumbnails: 5, each: {url: {value: thumbnailUrl}, size: {value: size.width, default: null}}}
            fields: {ids: {value: queries, each: id, default: null}, extra: {value: extra, default: null}}
          SEEN: {text: "{{room.name}}"}
        """

    private static func warnings(_ data: JSONObject, _ type: String = "added") throws -> [String] {
        let event = Event(
            type: type, actor: ["id": "a"], to: [.init(name: "participants", users: Rooms.users("you"))], data: data)
        return try Catalog(yaml: yaml, file: "rooms.yaml").route(event).warnings
    }

    private static let room: JSONValue = ["id": "1", "name": "Italy"]
    private static let photo: JSONValue = ["kind": "photo", "thumbnailUrl": "u", "size": ["width": 1]]

    @Test func `an event as the catalog has it is told nothing`() throws {
        let data: JSONObject = [
            "room": Self.room, "elements": [Self.photo, ["kind": "note"]], "queries": [["id": 1]],
            "extra": ["any": [1]],
        ]
        #expect(try Self.warnings(data) == [])
    }

    @Test(
        arguments: [
            (["room": room, "elements": [photo], "rooms": 1], [#"nothing reads "/data/rooms"; did you mean "room"?"#]),
            (
                ["room": ["id": "1", "name": "Italy", "colour": "red"], "elements": [photo]],
                [#"nothing reads "/data/room/colour""#]
            ),
            (
                [
                    "room": room,
                    "elements": [
                        photo, ["kind": "photo", "thumbnailURL": "u"], ["kind": "note", "thumbnailURL": "u"],
                    ],
                ],
                [#"nothing reads "/data/elements/1/thumbnailURL"; did you mean "thumbnailUrl"?"#]
            ),
            (
                ["room": room, "elements": [["kind": "photo", "size": ["width": 1, "height": 2]]]],
                [#"nothing reads "/data/elements/0/size/height""#]
            ),
            (
                ["room": room, "elements": [photo], "queries": [["id": 1, "title": "t"]]],
                [#"nothing reads "/data/queries/0/title""#]
            ),
        ] as [(JSONObject, [String])])
    func `a member that nothing reads is told with its place`(_ data: JSONObject, _ expected: [String]) throws {
        #expect(try Self.warnings(data) == expected)
    }

    @Test func `nothing is told where the catalog does not declare its data`() throws {
        let event = Event(
            type: "renamed", actor: ["id": "a"], to: [.init(name: "owner", users: Rooms.users("you"))],
            data: ["room": Self.room, "anything": 1])
        #expect(try Catalog(yaml: Self.yaml, file: "rooms.yaml").route(event).warnings == [])
    }

    @Test func `a recipient's own data counts as the event's, and is told once`() throws {
        let users = Rooms.users("one", "two")
        let own: [UserID: JSONObject] = [users[0]: ["rooms": 1], users[1]: ["rooms": 2]]
        let event = Event(
            type: "added", actor: ["id": "a"], to: [.init(name: "participants", users: users, own: own)],
            data: ["room": Self.room, "elements": [Self.photo]])
        #expect(
            try Catalog(yaml: Self.yaml, file: "rooms.yaml").route(event).warnings == [
                #"nothing reads "/to/participants/0/data/rooms"; did you mean "room"?"#
            ])
    }

    @Test func `a great many such members are not all told, nor a name of any length`() throws {
        let many = JSONObject((0..<100).map { .init(key: "\($0)" + String(repeating: "x", count: 1_000), value: 1) })
        let data = JSONObject(
            many.members + [.init(key: "room", value: Self.room), .init(key: "elements", value: [Self.photo])])
        let warnings = try Self.warnings(data)
        #expect(warnings.count == 8)
        #expect(warnings.allSatisfy { $0.count < 150 })
    }
}
