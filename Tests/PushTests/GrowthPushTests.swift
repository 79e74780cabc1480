import Inbox
import JSON
import Push
import Testing

/// Pushes that take an earlier one's place because its batch has grown.
struct GrowthPushTests {
    private func growth(_ sound: String?, isGrowth: Bool = true) -> PushMessage {
        var content = content()
        content.growthSound = sound
        var message = message(content)
        message.isGrowth = isGrowth
        message.rev = 2
        return message
    }

    private func apns(_ message: PushMessage) throws -> JSONValue {
        try JSONValue(parsing: APNsPayload(message).bytes)
    }

    private func fcm(_ message: PushMessage) throws -> JSONValue {
        try JSONValue(parsing: FCMMessage(message, token: "t", at: now).bytes)
    }

    private func oneSignal(_ message: PushMessage) throws -> JSONValue {
        try JSONValue(parsing: OneSignalMessage(message, to: device(provider: .onesignal), appID: "a", at: now).bytes)
    }

    @Test(arguments: [(nil, false), ("bell.caf", false), (nil, true), ("bell.caf", true)] as [(String?, Bool)])
    func `they have the sound that the catalog gives growth, which is mostly none`(
        _ sound: String?, _ isGrowth: Bool
    ) throws {
        let message = growth(sound, isGrowth: isGrowth)
        let expected: JSONValue? = isGrowth ? sound.map(JSONValue.string) : "default"
        #expect(try apns(message).at(["aps", "sound"]) == expected)
        #expect(try fcm(message).at(["message", "apns", "payload", "aps", "sound"]) == expected)
        #expect(try fcm(message).at(["message", "android", "notification", "sound"]) == expected)
        // "nil" is OneSignal's word for none; the usual one needs none.
        let spoken: JSONValue? = isGrowth ? .string(sound ?? "nil") : nil
        #expect(try oneSignal(message).at(["ios_sound"]) == spoken)
    }

    @Test func `on Android they name the quiet channel, and no other push does`() throws {
        let channel = ["message", "android", "notification", "channel_id"]
        #expect(try fcm(growth(nil)).at(channel) == "quiet")
        #expect(try fcm(growth("bell.caf")).at(channel) == nil)
        #expect(try fcm(growth(nil, isGrowth: false)).at(channel) == nil)
        #expect(try oneSignal(growth(nil)).at(["existing_android_channel_id"]) == "quiet")
        #expect(try oneSignal(growth(nil, isGrowth: false)).at(["existing_android_channel_id"]) == nil)
    }

    @Test(arguments: [(nil, nil), ("bell.caf", true)] as [(String?, JSONValue?)])
    func `a browser alerts once more only where growth has a sound`(_ sound: String?, _ expected: JSONValue?) throws {
        // Whether it shows the earlier one is not known, so the push itself is like any other.
        let payload = try JSONValue(parsing: WebPushPayload(growth(sound, isGrowth: false), at: now).bytes)
        #expect(payload.at(["renotify"]) == expected)
        #expect(payload.at(["silent"]) == nil)
    }

    @Test func `a payload that is made from an earlier one's has a sound of its own`() throws {
        var payloads = APNsPayloads()
        let first = growth(nil, isGrowth: false)
        var second = first
        second.isGrowth = true
        for message in [first, first, second, first, second] {
            var bytes: [UInt8] = []
            payloads.write(message, to: &bytes)
            #expect(bytes == APNsPayload(message).bytes)
        }
    }
}
