import Inbox
import JSON
import Testing

struct PhraseTests {
    @Test(arguments: [
        (["photo"], "a photo"),
        (["photo", "photo"], "2 photos"),
        (["video"], "a video"),
        (["note", "note", "note"], "3 notes"),
        (["audio"], "an audio recording"),
        (["audio", "audio"], "2 audio recordings"),
        (["photo", "video", "video"], "a photo and 2 videos"),
        (["video", "photo"], "a video and a photo"),
        (["photo", "photo", "video", "note", "note", "note"], "2 photos, a video and 3 notes"),
        (["note", "audio", "video", "photo", "note"], "2 notes, an audio recording, a video and a photo"),
    ])
    func `elements read as a sentence would name them, in the order in which they came`(
        _ kinds: [String], _ phrase: String
    ) throws {
        let content = try Rooms.catalog().content(Rooms.elementAdded(kinds))
        #expect(content.displayText == "renee added \(phrase) to Awesome Fun")
        #expect(content.push?.body == "Renee added \(phrase) in Awesome Fun")
        #expect(try content.members["batchCount"] == .int(Int64(kinds.count)))
    }

    @Test(
        arguments: [
            (["id": "1", "username": "pete", "firstName": "Pete"], "pete", "Pete"),
            (["id": "1", "firstName": "Pete"], "Pete", "Pete"),
            (["id": "1", "username": "pete", "firstName": nil], "pete", "pete"),
            (["id": "1", "username": "", "firstName": "", "name": "Pete P."], "Pete P.", "Pete P."),
            (["id": "user-1"], "user-1", "user-1"),
        ] as [(JSONObject, String, String)])
    func `the actor is named by the rule, and by the next best name without it`(
        _ actor: JSONObject, _ inApp: String, _ inPush: String
    ) throws {
        let event = Event(
            type: "user_followed", actor: actor, to: [.init(name: "followed", users: Rooms.users("you"))])
        let content = try Rooms.catalog().content(event)
        #expect(content.displayText == "\(inApp) started following you")
        #expect(content.push?.body == "\(inPush) started following you")
    }

    @Test func `text is plain and never escaped`() throws {
        let event = Event(
            type: "room_liked", actor: Rooms.sarah, to: [.init(name: "owner", users: Rooms.users("you"))],
            data: ["room": Rooms.room("1", #"<b>Tom & "Jerry"</b> {{actor}}"#)])
        #expect(
            try Rooms.catalog().content(event).displayText == #"sarah liked your room: <b>Tom & "Jerry"</b> {{actor}}"#)
    }

    @Test func `numbers and booleans are printed as they are written`() throws {
        let yaml = """
            catalog: weather
            events: {measured: {routes: [{to: all, type: MEASURED}]}}
            types: {MEASURED: {text: "{{degrees}} {{change}} {{ dry }}"}}
            """
        let event = Event(
            type: "measured", to: [.init(name: "all", users: Rooms.users("you"))],
            data: ["degrees": 21, "change": .double(-1.5), "dry": true])
        #expect(try Catalog(yaml: yaml, file: "weather.yaml").content(event).displayText == "21 -1.5 true")
    }
}
