import Inbox
import JSON
import Push
import Testing

let oneSignalApp = "5e605fcd-de88-4b0a-a5eb-5c18b84d52f3"
let subscription = "d6d5a1bb-6a3f-4d2b-9a2d-0f1f9c2b7a11"

struct OneSignalRequestTests {
    let settings = OneSignalSettings(appID: oneSignalApp, apiKey: "os_v2_app_x")
    let phone = device(token: subscription, provider: .onesignal)

    private func made(_ message: PushMessage, to device: Device? = nil) -> PushRequest? {
        PushRequest(oneSignal: message, to: device ?? phone, settings: settings, at: now)
    }

    private func key(_ message: PushMessage, to device: Device? = nil) throws -> String? {
        try json(made(message, to: device)).at(["idempotency_key"])?.string
    }

    @Test func `a message becomes one request`() throws {
        let request = try #require(made(message()))
        #expect(request.method == "POST")
        #expect(request.url == "https://api.onesignal.com/notifications?c=push")
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        #expect(headers == ["authorization": "Key os_v2_app_x", "content-type": "application/json"])
        let key = try #require(try key(message()))
        #expect(
            text(request.body) == """
                {"app_id":"\(oneSignalApp)","target_channel":"push","include_subscription_ids":["\(subscription)"],\
                "idempotency_key":"\(key)",\
                "headings":{"en":"New Content"},"contents":{"en":"Pete added a photo in Italian Vacation"},\
                "thread_id":"room:789","android_group":"room:789","ios_badgeType":"SetTo","ios_badgeCount":3,\
                "data":{"type":"element_added","roomId":"room-789",\
                "belfry":{"id":"nc-9l","rev":1,"epoch":"e1","seq":345}},\
                "collapse_id":"nc-9l","priority":10,"ttl":3600}
                """)
    }

    static let samples: [(String, String, JSONObject)] = [
        ("New Room", "Pete created a new room with you", ["type": "room_created", "roomId": "room-uuid"]),
        (
            "Room Renamed", "Pete renamed your room to Italian Vacation",
            ["type": "room_renamed", "roomId": "room-uuid", "roomName": "Italian Vacation"]
        ),
        (
            "New Content", "Pete added a photo in Italian Vacation",
            ["type": "element_added", "roomId": "room-uuid", "elementType": "photo"]
        ),
    ]

    @Test(arguments: samples)
    func `an app finds title, message and data where it looks`(title: String, body: String, data: JSONObject) throws {
        let sent = try json(made(message(content(title: title, body: body, data: data))))
        #expect(sent.at(["headings", "en"])?.string == title)
        #expect(sent.at(["contents", "en"])?.string == body)
        var shown = try #require(sent.at(["data"])?.object)
        shown["belfry"] = nil
        #expect(shown == data)
    }

    @Test func `a user is addressed by the app's own id`() throws {
        let token = Device.oneSignalUserToken(try #require(UserID("auth0|77")))
        let sent = try json(made(message(), to: device(token: token, provider: .onesignal)))
        #expect(sent.at(["include_aliases"]) == ["external_id": ["auth0|77"]])
        #expect(sent.at(["target_channel"]) == "push")
        #expect(sent.at(["include_subscription_ids"]) == nil)
    }

    @Test func `all that a catalog can say is in the message`() throws {
        let sent = try json(made(message(fullContent())))
        let expected: JSONObject = [
            "ios_sound": "bell.caf", "ios_category": "REPLY", "ios_interruption_level": "time_sensitive",
            "mutable_content": true, "content_available": true, "big_picture": "https://pictures.example/1.jpg",
            "chrome_web_image": "https://pictures.example/1.jpg",
            "ios_attachments": ["image": "https://pictures.example/1.jpg"],
            "collapse_id": .string(try #require(fullContent().replacementID)),
        ]
        for member in expected.members { #expect(sent.at([member.key]) == member.value) }
    }

    @Test func `a title alone becomes the contents, which OneSignal demands`() throws {
        let sent = try json(made(message(content(title: "Pete is here", body: ""))))
        #expect(sent.at(["contents"]) == ["en": "Pete is here"])
        #expect(sent.at(["headings"]) == nil)
    }

    @Test func `no sound is asked for by name`() throws {
        var content = content(urgency: .low)
        content.sound = nil
        let sent = try json(made(message(content)))
        #expect(sent.at(["ios_sound"]) == "nil")
        #expect(sent.at(["priority"]) == 5)
        #expect(sent.at(["ios_interruption_level"]) == "passive")
    }

    @Test func `a badge and what is withdrawn come without words`() throws {
        let sent = try json(made(badgeOnly()))
        #expect(sent.at(["contents"]) == nil)
        #expect(sent.at(["content_available"]) == true)
        #expect(sent.at(["ios_badgeType"]) == "SetTo")
        #expect(sent.at(["ios_badgeCount"]) == 2)
        #expect(sent.at(["priority"]) == 5)
        #expect(
            sent.at(["data"]) == ["belfry": ["epoch": "e1", "seq": 346, "withdrawn": ["nc-9k", "nc-9j"]]])
    }

    @Test func `a browser is sent nothing that it could not show`() {
        let browser = device(token: subscription, provider: .onesignal, platform: "web")
        #expect(made(badgeOnly(), to: browser) == nil)
        #expect(made(message(), to: browser) != nil)
    }

    @Test func `a retry has the same key, whatever the badge is by then`() throws {
        let key = try #require(try key(message()))
        var later = message(badge: 9)
        later.position = PushMessage.Position(epoch: "e1", seq: 400)
        #expect(try self.key(later) == key)
        #expect(key.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(key.allSatisfy { $0 == "-" || $0.isHexDigit })
        #expect(key.dropFirst(14).first == "4")
        #expect("89ab".contains(try #require(key.dropFirst(19).first)))
    }

    @Test func `another push has another key`() throws {
        var grown = message()
        grown.rev = 2
        var newer = message()
        newer.notification = NotificationID(inbox: 12, sequence: 346)
        let other = device(token: "11111111-6a3f-4d2b-9a2d-0f1f9c2b7a11", provider: .onesignal)
        var test = message()
        test.notification = nil
        var secondTest = test
        secondTest.expiry = test.expiry + .milliseconds(1)
        let keys = [
            try key(message()), try key(grown), try key(newer), try key(message(), to: other), try key(test),
            try key(secondTest), try key(badgeOnly()), try key(badgeOnly(badge: 1)),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: [
        String(repeating: "a", count: 5_000), String(repeating: "\"\n\u{1}", count: 4_000),
        String(repeating: "日本語", count: 2_000),
    ])
    func `a message too long is cut to the limit`(long: String) throws {
        var sent = try #require(try json(made(message(content(body: long)))).object)
        for key in ["app_id", "target_channel", "include_subscription_ids", "idempotency_key"] { sent[key] = nil }
        let bytes = JSONValue.object(sent).encoded.count
        #expect(bytes <= OneSignalMessage.maximumBytes)
        #expect(bytes > OneSignalMessage.maximumBytes - 40)
        #expect(sent["contents"]?.at(["en"])?.string?.last == "…")
    }

    @Test func `data are kept within OneSignal's limit for them`() throws {
        let long = String(repeating: "x", count: 1_900)
        let sent = try json(made(message(content(data: ["type": "t", "a": .string(long), "b": .string(long)]))))
        #expect(sent.at(["data"])?.object?.keys == ["type", "a", "belfry"])
        #expect(sent.at(["contents", "en"]) == "Pete added a photo in Italian Vacation")
    }

    @Test func `printing the settings does not show the key`() {
        var dumped = ""
        dump(settings, to: &dumped)
        for shown in ["\(settings)", String(reflecting: settings), dumped] { #expect(!shown.contains("os_v2_app_x")) }
    }
}
