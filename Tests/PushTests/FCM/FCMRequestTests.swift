import Inbox
import JSON
import Push
import Testing

struct FCMRequestTests {
    let settings = FCMSettings(projectID: "field-app-1")
    let phone = device(token: "fcm:token", provider: .fcm)

    private func made(_ message: PushMessage, to device: Device? = nil) -> PushRequest? {
        PushRequest(fcm: message, to: device ?? phone, settings: settings, accessToken: "ya29.x", at: now)
    }

    @Test func `a message becomes one request`() throws {
        let request = try #require(made(message()))
        #expect(request.method == "POST")
        #expect(request.url == "https://fcm.googleapis.com/v1/projects/field-app-1/messages:send")
        let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
        #expect(headers == ["authorization": "Bearer ya29.x", "content-type": "application/json"])
        #expect(
            text(request.body) == """
                {"message":{"token":"fcm:token",\
                "notification":{"title":"New Content","body":"Pete added a photo in Italian Vacation"},\
                "data":{"type":"element_added","roomId":"room-789",\
                "belfry":"{\\"id\\":\\"nc-9l\\",\\"rev\\":1,\\"epoch\\":\\"e1\\",\\"seq\\":345}"},\
                "android":{"collapse_key":"nc-9l","priority":"HIGH","ttl":"3600s",\
                "notification":{"tag":"nc-9l","sound":"default","notification_count":3}},\
                "apns":{"headers":{"apns-push-type":"alert","apns-priority":"10","apns-expiration":"1764003600",\
                "apns-collapse-id":"nc-9l"},\
                "payload":{"aps":{"badge":3,"sound":"default","thread-id":"room:789"}}},\
                "webpush":{"headers":{"TTL":"3600","Urgency":"normal","Topic":"nc-9l---"},\
                "notification":{"tag":"nc-9l"}}}}
                """)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let title: String
        let body: String
        let data: JSONObject

        var testDescription: String { title }
    }

    static let samples = [
        Sample(
            title: "New High Priority Issue", body: "Banana Stand: Broken freezer compressor",
            data: ["type": "issue", "issueId": "abc123", "restaurantName": "Banana Stand", "priority": "high"]),
        Sample(
            title: "New Update: Banana Stand", body: "Kevin Admin posted an update on 'Broken freezer...'",
            data: [
                "type": "work_update", "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                "updateType": "work_log", "updatedBy": "Kevin Admin",
            ]),
        Sample(
            title: "Chris Cashion replied", body: "About 'Broken freezer' at Banana Stand: Can you send more photos?",
            data: [
                "type": "message", "conversationId": "xyz789", "senderId": "user123", "senderName": "Chris Cashion",
                "issueId": "abc123", "issueTitle": "Broken freezer compressor",
            ]),
    ]

    /// The form in which an app with one handler for all of them expects its payloads.
    @Test(arguments: samples)
    func `an app finds notification, string data and aps where it looks`(_ sample: Sample) throws {
        let content = content(title: sample.title, body: sample.body, group: nil, data: sample.data)
        let sent = try json(made(message(content, badge: 1))).at(["message"])
        #expect(sent?.at(["notification"]) == ["title": .string(sample.title), "body": .string(sample.body)])
        var data = try #require(sent?.at(["data"])?.object)
        data["belfry"] = nil
        #expect(data == sample.data)
        #expect(sent?.at(["apns", "payload"]) == ["aps": ["badge": 1, "sound": "default"]])
    }

    @Test func `all that a catalog can say is in the message`() throws {
        let full = fullContent()
        let message = try #require(try json(made(message(full))).at(["message"]))
        let id = try #require(full.replacementID)
        #expect(message.at(["notification", "image"]) == "https://pictures.example/1.jpg")
        #expect(
            message.at(["android", "notification"])
                == ["tag": .string(id), "sound": "bell.caf", "click_action": "REPLY", "notification_count": 3])
        #expect(message.at(["android", "collapse_key"]) == .string(id))
        #expect(
            message.at(["apns", "payload", "aps"])
                == [
                    "badge": 3, "sound": "bell.caf", "thread-id": "room:789", "category": "REPLY",
                    "interruption-level": "time-sensitive", "mutable-content": 1, "content-available": 1,
                ])
        #expect(message.at(["apns", "headers", "apns-collapse-id"]) == .string(id))
        #expect(message.at(["apns", "fcm_options", "image"]) == "https://pictures.example/1.jpg")
        #expect(message.at(["webpush", "headers", "Topic"]) == .string(id))
    }

    @Test func `data are strings under names that FCM leaves free`() throws {
        let content = content(data: [
            "type": "t", "count": 3, "ratio": .double(0.5), "isOpen": true, "none": nil, "list": ["a", 1],
            "from": "x", "message_type": "x", "gcm": "x", "gcm.n": "x", "google.x": "x", "googleX": "x", "belfry": "x",
            "fromage": "brie", "collapse_key": "k",
        ])
        var data = try #require(try json(made(message(content))).at(["message", "data"])?.object)
        data["belfry"] = nil
        #expect(
            data == [
                "type": "t", "count": "3", "ratio": "0.5", "isOpen": "true", "list": #"["a",1]"#, "fromage": "brie",
                "collapse_key": "k",
            ])
    }

    @Test func `low urgency spares the battery`() throws {
        let message = try json(made(message(content(urgency: .low)))).at(["message"])
        #expect(message?.at(["android", "priority"]) == "NORMAL")
        #expect(message?.at(["apns", "headers", "apns-priority"]) == "5")
        #expect(message?.at(["webpush", "headers", "Urgency"]) == "low")
    }

    @Test func `a badge and what is withdrawn go as data alone`() throws {
        let message = try #require(try json(made(badgeOnly())).at(["message"]))
        #expect(message.at(["notification"]) == nil)
        #expect(message.at(["android"]) == ["collapse_key": "badge", "priority": "NORMAL", "ttl": "3600s"])
        #expect(message.at(["apns", "payload", "aps"]) == ["badge": 2, "content-available": 1])
        #expect(message.at(["apns", "headers", "apns-priority"]) == "5")
        let own = try #require(message.at(["data", "belfry"])?.string)
        #expect(
            try JSONValue(parsing: own) == ["epoch": "e1", "seq": 346, "withdrawn": ["nc-9k", "nc-9j"]])
    }

    @Test func `a message that has no words and wakes the app is data alone`() throws {
        let message = try #require(try json(made(wakeUp())).at(["message"]))
        #expect(message.at(["notification"]) == nil)
        #expect(message.at(["apns", "headers", "apns-push-type"]) == "background")
        #expect(message.at(["apns", "payload", "aps"]) == ["content-available": 1])
        #expect(message.at(["data", "type"]) == "element_added")
    }

    @Test func `a browser is sent nothing that it could not show`() {
        let browser = device(token: "fcm:token", provider: .fcm, platform: "web")
        #expect(made(badgeOnly(), to: browser) == nil)
        #expect(made(wakeUp(), to: browser) == nil)
        #expect(made(message(), to: browser) != nil)
    }

    @Test(arguments: [(-5, "1s"), (0, "1s"), (3_600, "3600s"), (2_419_200, "2419200s"), (9_999_999, "2419200s")])
    func `the time to live ends with the message, within Google's limit`(seconds: Int64, ttl: String) throws {
        var message = message()
        message.expiry = now + .seconds(seconds)
        #expect(try json(made(message)).at(["message", "android", "ttl"])?.string == ttl)
    }

    @Test(arguments: [
        String(repeating: "a", count: 5_000), String(repeating: "👨‍👩‍👧‍👦", count: 1_000),
        String(repeating: "\"\n\u{1}", count: 4_000), String(repeating: "日本語", count: 2_000),
    ])
    func `a message too long is cut to the limit`(long: String) throws {
        let request = try #require(
            made(message(content(body: long)), to: device(token: String(repeating: "t", count: 300), provider: .fcm)))
        var message = try #require(try json(request).at(["message"])?.object)
        message["token"] = nil
        let bytes = JSONValue.object(message).encoded.count
        #expect(bytes <= FCMMessage.maximumBytes)
        #expect(bytes > FCMMessage.maximumBytes - 40)
        #expect(message["notification"]?.at(["body"])?.string?.last == "…")
        #expect(message["data"]?.at(["roomId"]) == "room-789")
    }

    @Test func `data too long go before the words`() throws {
        let long = String(repeating: "\"", count: 3_000)
        let message = try #require(
            try json(made(message(content(data: ["type": "t", "long": .string(long)])))).at(["message"]))
        #expect(message.at(["data"])?.object?.keys == ["type", "belfry"])
        #expect(message.at(["notification", "body"]) == "Pete added a photo in Italian Vacation")
    }

    @Test func `members without a value do not stand in the way of cutting`() throws {
        let long = String(repeating: "x", count: 4_000)
        let content = content(data: ["type": "t", "long": .string(long), "a": nil, "b": nil, "c": nil])
        var message = try #require(try json(made(message(content))).at(["message"])?.object)
        message["token"] = nil
        #expect(JSONValue.object(message).encoded.count <= FCMMessage.maximumBytes)
        #expect(message["data"]?.object?.keys == ["type", "belfry"])
    }

    @Test func `an endpoint takes Google's place`() {
        #expect(FCMSettings(projectID: "p", endpoint: "https://localhost:22000/").baseURL == "https://localhost:22000")
    }
}
