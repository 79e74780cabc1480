import Inbox
import JSON
import Testing

struct PushTests {
    private func push(_ event: String, to list: String, data: JSONObject) throws -> PushContent {
        let event = Event(
            type: event, actor: Rooms.pete, to: [.init(name: list, users: Rooms.users("you"))], data: data)
        return try #require(try Rooms.catalog().content(event).push)
    }

    @Test func `a created room is pushed as the app's push guide shows it`() throws {
        let push = try push("room_created", to: "participants", data: ["room": Rooms.room("room-uuid", "Italy")])
        #expect((push.title, push.body) == ("New Room", "Pete created a new room with you"))
        #expect((push.group, push.urgency) == ("room:room-uuid", .normal))
        #expect(push.data == ["type": "room_created", "roomId": "room-uuid"])
    }

    @Test func `a renamed room is pushed as the app's push guide shows it`() throws {
        let push = try push(
            "room_renamed", to: "participants",
            data: [
                "room": Rooms.room("room-uuid", "Italian Vacation"), "oldName": "Italy", "newName": "Italian Vacation",
            ])
        #expect((push.title, push.body) == ("Room Renamed", "Pete renamed your room to Italian Vacation"))
        #expect((push.group, push.urgency) == ("room:room-uuid", .normal))
        #expect(push.data == ["type": "room_renamed", "roomId": "room-uuid", "roomName": "Italian Vacation"])
    }

    @Test(arguments: ["note", "photo", "audio", "video"])
    func `an added element is pushed as the app's push guide shows it`(_ kind: String) throws {
        let push = try push(
            "element_added", to: "participants",
            data: ["room": Rooms.room("room-uuid", "Italian Vacation"), "elements": Rooms.elements([kind])])
        #expect(push.title == "New Content")
        let named = ["note": "a note", "photo": "a photo", "audio": "an audio recording", "video": "a video"]
        #expect(push.body == "Pete added \(named[kind] ?? "") in Italian Vacation")
        #expect(push.data == ["type": "element_added", "roomId": "room-uuid", "elementType": .string(kind)])
    }

    @Test func `every type pushes with a type, and with the room if there is one`() throws {
        for sample in Sample.all {
            let event = Event(
                type: sample.event, actor: sample.actor, to: [.init(name: sample.list, users: Rooms.users("you"))],
                data: sample.data)
            let push = try #require(try Rooms.catalog().content(event).push)
            #expect(push.data.keys.first == "type")
            #expect(push.data["roomId"] == JSONValue.object(sample.data).at(["room", "id"]))
            #expect(!push.title.isEmpty && !push.body.isEmpty)
            #expect(PushContent(json: try JSONValue(parsing: push.encoded)) == push)
        }
    }

    private static let yaml = """
        catalog: alarms
        push: {when: always, urgency: low}
        events:
          rang: {routes: [{to: loud, type: LOUD}, {to: silent, type: SILENT}, {to: mute, type: MUTE}]}
        types:
          LOUD: {text: rang, push: {title: Alarm, body: It rang, urgency: urgent, perHour: null}}
          SILENT: {text: rang, push: {when: never, title: Alarm, body: It rang}}
          MUTE: {text: rang}
        """

    @Test(
        arguments: [
            ("loud", nil, nil, PushPolicy(when: .always, urgency: .urgent), true),
            ("loud", .never, .low, PushPolicy(when: .never, urgency: .low), true),
            ("silent", nil, nil, PushPolicy(when: .never, urgency: .low), true),
            ("silent", .fallback, nil, PushPolicy(when: .fallback, urgency: .low), true),
            ("mute", nil, nil, PushPolicy(when: .never, urgency: .low), false),
            ("mute", .always, .urgent, PushPolicy(when: .never, urgency: .low), false),
        ] as [(String, PushPolicy.When?, PushPolicy.Urgency?, PushPolicy, Bool)])
    func `an event overrides its type's policy, but a type without push texts never pushes`(
        _ list: String, _ when: PushPolicy.When?, _ urgency: PushPolicy.Urgency?, _ expected: PushPolicy,
        _ hasText: Bool
    ) throws {
        let event = Event(
            type: "rang", to: [.init(name: list, users: Rooms.users("you"))], push: when, urgency: urgency)
        let type = try #require(
            try Catalog(yaml: Self.yaml, file: "alarms.yaml").route(event).groups.first?.type)
        #expect(type.pushPolicy(for: event) == expected)
        let push = type.content(for: event, at: Timestamp(milliseconds: 0), growing: nil).push
        #expect((push != nil) == hasText)
        if let push {
            #expect(push.urgency == expected.urgency)
            #expect(push.data == ["type": .string(type.name)])
        }
    }
}
