import Inbox
import JSON
import Push
import Testing

/// The requests to APNs for each kind of message.
struct APNsKindTests {
    let settings = APNsSettings(
        bundleID: "org.example.all", bundleIDs: ["rooms": "org.example.rooms"], isSandbox: false)

    private func request(_ message: PushMessage, to device: Device = device()) -> PushRequest {
        PushRequest(apns: message, to: device, settings: settings, authorization: "bearer h.c.s")
    }

    private func headers(_ request: PushRequest) -> [String: String] {
        Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
    }

    @Test func `all that a catalog can say is in the payload`() {
        #expect(
            text(APNsPayload(message(fullContent())).bytes) == """
                {"aps":{"alert":{"title":"New Content","body":"Pete added a photo in Italian Vacation"},"badge":3,\
                "sound":"bell.caf","thread-id":"room:789","category":"REPLY","interruption-level":"time-sensitive",\
                "mutable-content":1,"content-available":1},"type":"element_added","roomId":"room-789",\
                "image":"https://pictures.example/1.jpg","belfry":{"id":"nc-9l","rev":1,"epoch":"e1","seq":345}}
                """)
    }

    @Test func `several notifications in one show the summary`() throws {
        let alert = try JSONValue(parsing: APNsPayload(message(fullContent(), count: 4)).bytes).at(["aps", "alert"])
        #expect(alert == ["title": "4 new photos", "body": "in Italian Vacation"])
    }

    @Test func `no sound is none, and a picture alone makes the push mutable`() throws {
        var content = content()
        content.sound = nil
        content.image = "https://pictures.example/1.jpg"
        let aps = try JSONValue(parsing: APNsPayload(message(content)).bytes).at(["aps"])
        #expect(aps?.at(["sound"]) == nil)
        #expect(aps?.at(["mutable-content"]) == 1)
    }

    @Test func `a badge comes without words and without haste`() {
        let request = request(badgeOnly())
        #expect(headers(request)["apns-push-type"] == "alert")
        #expect(headers(request)["apns-priority"] == "5")
        #expect(headers(request)["apns-collapse-id"] == "badge")
        #expect(
            text(request.body) == """
                {"aps":{"badge":2,"content-available":1},\
                "belfry":{"epoch":"e1","seq":346,"withdrawn":["nc-9k","nc-9j"]}}
                """)
    }

    @Test func `a message that has no words and wakes the app is a background push`() {
        let request = request(wakeUp())
        #expect(headers(request)["apns-push-type"] == "background")
        #expect(headers(request)["apns-priority"] == "5")
        #expect(
            text(request.body) == """
                {"aps":{"content-available":1},"type":"element_added","roomId":"room-789",\
                "belfry":{"id":"nc-9l","rev":1,"epoch":"e1","seq":345}}
                """)
    }

    @Test(
        arguments: [
            (nil, "https://api.push.apple.com"), (.production, "https://api.push.apple.com"),
            (.sandbox, "https://api.sandbox.push.apple.com"),
        ] as [(Device.Environment?, String)])
    func `the device's environment chooses the host`(environment: Device.Environment?, host: String) {
        #expect(request(message(), to: device(environment: environment)).url == host + "/3/device/a1b2c3d4")
        let sandbox = APNsSettings(bundleID: "x", isSandbox: true)
        #expect(sandbox.baseURL(for: nil) == "https://api.sandbox.push.apple.com")
        #expect(sandbox.baseURL(for: .production) == "https://api.push.apple.com")
    }

    @Test func `the device's app chooses the topic`() {
        #expect(headers(request(message(), to: device(app: "rooms")))["apns-topic"] == "org.example.rooms")
        #expect(headers(request(message(), to: device(app: "other")))["apns-topic"] == "org.example.all")
    }

    @Test func `of a thousand withdrawn pushes the newest are told, as far as there is room`() throws {
        let ids = (0..<1_000).map { "withdrawn-\($0)-with-a-long-name" }
        let payload = APNsPayload(badgeOnly(withdrawn: ids))
        #expect(payload.bytes.count <= APNsPayload.maximumBytes)
        let told = try JSONValue(parsing: payload.bytes).at(["belfry", "withdrawn"])?.array?.compactMap(\.string)
        #expect(told?.count ?? 0 > 50)
        #expect(told == Array(ids.suffix(told?.count ?? 0)))
    }

    @Test(arguments: 3_700...4_100)
    func `words come before the app's data`(length: Int) throws {
        let content = content(data: ["type": "t", "long": .string(String(repeating: "x", count: length))])
        let payload = APNsPayload(message(content))
        #expect(payload.bytes.count <= APNsPayload.maximumBytes)
        let json = try JSONValue(parsing: payload.bytes)
        #expect(json.at(["aps", "alert", "body"]) == "Pete added a photo in Italian Vacation")
        #expect(json.at(["type"]) == "t")
    }

    @Test func `a title that is too long leaves half of the room to the body`() throws {
        let long = String(repeating: "z", count: 5_000)
        let payload = APNsPayload(message(content(title: long, body: long)))
        let alert = try JSONValue(parsing: payload.bytes).at(["aps", "alert"])
        let lengths = [alert?.at(["title"]), alert?.at(["body"])].map { $0?.string?.utf8.count ?? 0 }
        #expect(lengths.allSatisfy { $0 > 1_500 })
        #expect(payload.bytes.count <= APNsPayload.maximumBytes)
    }

    @Test func `our own member stays whatever else is too long`() throws {
        let long = String(repeating: "z", count: 5_000)
        var content = content(title: long, body: long, group: long, data: ["long": .string(long)])
        (content.image, content.actions, content.sound) = (long, long, long)
        let payload = APNsPayload(message(content))
        #expect(payload.bytes.count <= APNsPayload.maximumBytes)
        let json = try JSONValue(parsing: payload.bytes)
        #expect(json.object?.keys == ["aps", "belfry"])
        #expect(json.at(["belfry", "seq"]) == 345)
        #expect(json.at(["aps", "alert", "title"])?.string?.hasPrefix("zzz") == true)
    }
}
