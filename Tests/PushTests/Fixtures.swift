import Inbox
import JSON
import Push

let now = Timestamp(milliseconds: 1_764_000_000_000)

func device(token: String = "a1b2c3d4", registeredAt: Timestamp = now - .seconds(3_600)) -> Device {
    Device(id: "phone-1", provider: .apns, token: token, registeredAt: registeredAt)
}

func content(
    title: String = "New Content", body: String = "Pete added a photo in Italian Vacation", group: String? = "room:789",
    urgency: PushPolicy.Urgency = .normal, data: JSONObject = ["type": "element_added", "roomId": "room-789"]
) -> PushContent {
    PushContent(title: title, body: body, group: group, urgency: urgency, data: data)
}

func job(_ content: PushContent = content(), device: Device = device(), badge: Int64 = 3) throws -> PushJob {
    struct NoUser: Error {}
    guard let user = UserID(rawValue: "user-7") else { throw NoUser() }
    return PushJob(
        id: 1, user: user, notification: NotificationID(inbox: 12, sequence: 345), rev: 1, content: content,
        device: device, badge: badge, attempt: PushAttempt(expiry: now + .seconds(3_600)))
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
