import Inbox
import JSON
import Push

let now = Timestamp(milliseconds: 1_764_000_000_000)

func device(
    token: String = "a1b2c3d4", app: String = "", provider: Device.Provider = .apns, platform: String? = nil,
    environment: Device.Environment? = nil, registeredAt: Timestamp = now - .seconds(3_600)
) -> Device {
    Device(
        id: "phone-1", app: app, provider: provider, token: token, platform: platform, environment: environment,
        registeredAt: registeredAt)
}

func content(
    title: String = "New Content", body: String = "Pete added a photo in Italian Vacation", group: String? = "room:789",
    urgency: PushPolicy.Urgency = .normal, data: JSONObject = ["type": "element_added", "roomId": "room-789"]
) -> PushContent {
    PushContent(title: title, body: body, group: group, urgency: urgency, data: data)
}

/// Everything that a content can hold.
func fullContent(urgency: PushPolicy.Urgency = .urgent) -> PushContent {
    var content = content(urgency: urgency)
    content.app = "rooms"
    content.sound = "bell.caf"
    content.image = "https://pictures.example/1.jpg"
    content.actions = "REPLY"
    content.replaceKey = "room:789"
    content.isMutable = true
    content.wakesApp = true
    content.summary = PushContent.Summary(
        title: CountedText(pieces: ["", " new photos"]), body: CountedText(pieces: ["in Italian Vacation"]))
    return content
}

func message(_ content: PushContent? = content(), badge: Int64 = 3, count: Int = 1) -> PushMessage {
    PushMessage(
        content: content, count: count, badge: badge, notification: NotificationID(inbox: 12, sequence: 345),
        collapseID: content?.replacementID ?? NotificationID(inbox: 12, sequence: 345).text,
        position: PushMessage.Position(epoch: "e1", seq: 345), expiry: now + .seconds(3_600))
}

func badgeOnly(badge: Int64 = 2, withdrawn: [String] = ["nc-9k", "nc-9j"]) -> PushMessage {
    PushMessage(
        content: nil, badge: badge, notification: nil, collapseID: "badge",
        position: PushMessage.Position(epoch: "e1", seq: 346), withdrawn: withdrawn, expiry: now + .seconds(3_600))
}

/// A message that shows nothing and wakes the app.
func wakeUp() -> PushMessage {
    var content = content(title: "", body: "")
    content.wakesApp = true
    return message(content)
}

func job(_ content: PushContent? = content(), device: Device = device(), badge: Int64 = 3) throws -> PushJob {
    struct NoUser: Error {}
    guard let user = UserID("user-7") else { throw NoUser() }
    return PushJob(
        PushJob.Part(id: 1, notification: NotificationID(inbox: 12, sequence: 345)),
        to: PushTarget(user: user, device: device), message: message(content, badge: badge),
        attempt: PushAttempt(expiry: now + .seconds(3_600)))
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func json(_ request: PushRequest?) throws -> JSONValue { try JSONValue(parsing: request?.body ?? []) }

func sinkRequest(_ request: PushRequest, method: String? = nil, path: String? = nil) -> SinkRequest {
    let own = request.url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
    return SinkRequest(
        method: method ?? request.method, path: path ?? String(own), headers: request.headers, body: request.body)
}
