import Inbox
import JSON
import Testing

/// A notification as the rooms app's guide shows it, and the event that should bring it about.
struct Sample: CustomTestStringConvertible, Sendable {
    let type: String
    let event: String
    let actor: JSONObject
    let list: String
    let data: JSONObject
    let json: String

    var testDescription: String { type }
}

struct RoomsSamplesTests {
    @Test(arguments: Sample.all)
    func `a notification has the sample's members in the sample's order, ours behind them`(_ sample: Sample) throws {
        let expected = try #require(try JSONValue(parsing: sample.json).object)
        let event = Event(
            type: sample.event, actor: sample.actor, to: [.init(name: sample.list, users: Rooms.users("you"))],
            data: sample.data)
        let time = try Timestamp.at(try #require(expected["createdAt"]?.string))
        let notification = Notification(
            id: NotificationID(inbox: 1, sequence: 7), content: try Rooms.catalog().content(event, at: time),
            createdAt: time, rev: 1, seq: 7, isRead: false, isSeen: false)

        var json = JSONWriter()
        notification.write(to: &json)
        var written = try #require(try JSONValue(parsing: json.bytes).object)
        #expect(written["id"] == "n1-7")
        written["id"] = expected["id"]

        let count = expected.members.count
        #expect(Array(written.members.prefix(count)) == expected.members)
        #expect(written.keys.dropFirst(count) == ["category", "isSeen", "rev", "seq"])
    }

    @Test func `all eleven types of the guide have a sample`() {
        #expect(Set(Sample.all.map(\.type)).count == 11)
    }

    @Test func `the guide's list prints first names, which is the other name rule, and times without milliseconds`()
        throws
    {
        let yaml = try Rooms.yaml().replacing("actorName: username ", with: "actorName: firstName ")
        let catalog = try Catalog(yaml: yaml, file: "rooms.yaml")
        let kinds = Array(repeating: "photo", count: 20) + Array(repeating: "video", count: 3)
        #expect(
            try catalog.content(Rooms.elementAdded(kinds)).displayText
                == "Renee added 20 photos and 3 videos to Awesome Fun")
        #expect(try Timestamp.at("2025-07-04T12:00:00Z").iso8601 == "2025-07-04T12:00:00.000Z")
    }

    @Test func `a person without an avatar has it as null`() throws {
        let event = Event(
            type: "user_followed", actor: ["id": "user-9", "email": "not for others"],
            to: [.init(name: "followed", users: Rooms.users("you"))])
        let content = try Rooms.catalog().content(event)
        let actor: JSONValue = ["id": "user-9", "username": nil, "firstName": nil, "avatarUrl": nil]
        #expect(try content.members["actor"] == actor)
        #expect(try content.members["isFollowingBack"] == false)
    }

    @Test func `following back is shown as the event has it`() throws {
        let event = Event(
            type: "user_followed", actor: Rooms.sarah, to: [.init(name: "followed", users: Rooms.users("you"))],
            data: ["isFollowingBack": true])
        #expect(try Rooms.catalog().content(event).members["isFollowingBack"] == true)
    }

    @Test func `a created room is only pushed, since the guide's list has no type for it`() throws {
        let event = Event(
            type: "room_created", actor: Rooms.pete, to: [.init(name: "participants", users: Rooms.users("you"))],
            data: ["room": Rooms.room("room-1", "Italy Trip")])
        let content = try Rooms.catalog().content(event)
        #expect(content.type == "ROOM_CREATED")
        #expect(content.push?.body == "Pete created a new room with you")
        #expect(try Rooms.catalog().notificationType(named: "ROOM_CREATED")?.usualReception == .pushOnly)
    }
}
