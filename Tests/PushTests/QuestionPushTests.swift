import Inbox
import JSON
import Testing

@testable import Push

/// Pushes of notifications that ask.
struct QuestionPushTests {
    private static let actions = [
        Question.Action(id: "approve", label: "Approve"), Question.Action(id: "reject", label: "Reject"),
    ]
    private static let json: JSONValue = .array(actions.map(\.json))

    private func asking(count: Int = 1, body: String = "Deploy?") -> PushMessage {
        var content = content(body: body)
        content.answers = Self.actions
        return message(content, count: count)
    }

    /// Belfry's own member in each provider's payload.
    private func own(_ message: PushMessage) throws -> [JSONValue] {
        let fcm = try JSONValue(parsing: FCMMessage(message, token: "t", at: now).bytes)
        let inFCM = try #require(fcm.at(["message", "data", "belfry"])?.string)
        let oneSignal = OneSignalMessage(message, to: device(provider: .onesignal), appID: "a", at: now)
        let values = [
            try JSONValue(parsing: APNsPayload(message).bytes).at(["belfry"]),
            try JSONValue(parsing: Array(inFCM.utf8)),
            try JSONValue(parsing: oneSignal.bytes).at(["data", "belfry"]),
            try JSONValue(parsing: WebPushPayload(message, at: now).bytes).at(["belfry"]),
        ]
        return try values.map { try #require($0) }
    }

    @Test func `every payload has the actions for the app, and OneSignal and browsers get buttons`() throws {
        for own in try own(asking()) { #expect(own.at(["actions"]) == Self.json) }
        let oneSignal = OneSignalMessage(asking(), to: device(provider: .onesignal), appID: "a", at: now)
        #expect(
            try JSONValue(parsing: oneSignal.bytes).at(["buttons"])
                == [["id": "approve", "text": "Approve"], ["id": "reject", "text": "Reject"]])
        let worker = try JSONValue(parsing: WebPushPayload(asking(), at: now).bytes)
        #expect(
            worker.at(["actions"])
                == [["action": "approve", "title": "Approve"], ["action": "reject", "title": "Reject"]])
    }

    @Test func `a browser that shows a push by itself opens the page at a button`() throws {
        let page = try #require(WebPushScope("https://app.example/"))
        let payload = try JSONValue(parsing: WebPushPayload(asking(), page: page, at: now).bytes)
        let actions = try #require(payload.at(["notification", "actions"])?.array)
        #expect(actions.map { $0.at(["navigate"]) } == ["https://app.example/", "https://app.example/"])
    }

    @Test func `a push for several notifications has no buttons`() throws {
        for own in try own(asking(count: 2)) { #expect(own.at(["actions"]) == nil) }
    }

    @Test func `long texts are cut before buttons go`() throws {
        let payload = APNsPayload(asking(body: String(repeating: "long ", count: 2_000)))
        #expect(payload.bytes.count <= APNsPayload.maximumBytes)
        #expect(try JSONValue(parsing: payload.bytes).at(["belfry", "actions"]) == Self.json)
    }

    @Test func `APNs' template is not for pushes with buttons`() {
        #expect(!APNsPayloadTemplate.fits(asking()))
        #expect(APNsPayloadTemplate.fits(message()))
    }

    @Test func `buttons are stored with the push`() throws {
        var content = content()
        content.answers = Self.actions
        #expect(try PushContent(json: JSONValue(parsing: content.encoded)) == content)
    }
}
