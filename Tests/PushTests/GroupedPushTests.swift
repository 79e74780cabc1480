import Inbox
import JSON
import Push
import Testing

/// Pushes that say something of others: of their group, or in the place of several.
struct GroupedPushTests {
    /// The app's data in each provider's payload.
    private func data(_ message: PushMessage) throws -> [Device.Provider: JSONValue] {
        let fcm = try JSONValue(parsing: FCMMessage(message, token: "t", at: now).bytes)
        let oneSignal = OneSignalMessage(message, to: device(provider: .onesignal), appID: "a", at: now)
        let webPush = try JSONValue(parsing: WebPushPayload(message, at: now).bytes)
        return [
            .apns: try JSONValue(parsing: APNsPayload(message).bytes),
            .fcm: try #require(fcm.at(["message", "data"])),
            .onesignal: try #require(try JSONValue(parsing: oneSignal.bytes).at(["data"])),
            .webpush: try #require(webPush.at(["data"])),
        ]
    }

    private func digest(count: Int) -> PushMessage {
        var content = fullContent(urgency: .normal)
        content.group = "room:789"
        content.digest = PushContent.Summary(
            title: CountedText(pieces: ["Rooms"]), body: CountedText(pieces: ["", " new things"]))
        var message = message(content, count: count)
        message.isDigest = true
        return message
    }

    @Test(arguments: ProviderList.standard)
    func `the data tell how many of its group a phone shows`(provider: Device.Provider) throws {
        var message = message(content(data: ["groupCount": 7, "groupKey": "mine", "roomId": "room-789"]))
        message.group = PushMessage.Group(count: 3, text: "3 new photos")
        let data = try #require(try data(message)[provider])
        #expect(data.at(["groupText"]) == "3 new photos")
        #expect(data.at(["groupCount"]) == (provider == .fcm ? "3" : 3))
        #expect(data.at(["groupKey"]) == "room:789")
        #expect(data.at(["roomId"]) == "room-789")
    }

    @Test(arguments: [nil, PushMessage.Group(count: 1, text: "a new photo")])
    func `on iOS the app's extension runs where there is a group's line to write`(_ group: PushMessage.Group?) throws {
        var message = message(content())
        message.group = group
        let expected: JSONValue? = group == nil ? nil : 1
        let apns = try JSONValue(parsing: APNsPayload(message).bytes)
        #expect(apns.at(["aps", "mutable-content"]) == expected)
        let fcm = try JSONValue(parsing: FCMMessage(message, token: "t", at: now).bytes)
        #expect(fcm.at(["message", "apns", "payload", "aps", "mutable-content"]) == expected)
        let oneSignal = OneSignalMessage(message, to: device(provider: .onesignal), appID: "a", at: now)
        #expect(try JSONValue(parsing: oneSignal.bytes).at(["mutable_content"]) == (group == nil ? nil : true))
    }

    @Test func `a push without a group leaves the app's own data alone`() throws {
        let data = try data(message(content(data: ["groupCount": 7, "groupKey": "mine"])))
        #expect(data[.apns]?.at(["groupKey"]) == "mine")
        #expect(data[.apns]?.at(["groupCount"]) == 7)
        #expect(data[.apns]?.at(["groupText"]) == nil)
    }

    @Test func `a digest has its own words, and neither picture nor buttons nor thread of one of them`() throws {
        let message = digest(count: 4)
        #expect(message.texts == ("Rooms", "4 new things"))
        let json = try JSONValue(parsing: APNsPayload(message).bytes)
        #expect(json.at(["aps", "alert", "body"]) == "4 new things")
        for member in ["thread-id", "category"] { #expect(json.at(["aps", member]) == nil) }
        #expect(json.at(["image"]) == nil)
        #expect(json.at(["roomId"]) == "room-789")
    }

    @Test func `a digest of one is that one`() throws {
        let message = digest(count: 1)
        #expect(message.texts == ("New Content", "Pete added a photo in Italian Vacation"))
        let json = try JSONValue(parsing: APNsPayload(message).bytes)
        #expect((json.at(["aps", "thread-id"]), json.at(["aps", "category"])) == ("room:789", "REPLY"))
    }
}
