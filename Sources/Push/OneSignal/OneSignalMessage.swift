package import Inbox
import JSON

/// The JSON of a push to OneSignal (OneSignal, "Push notification", `POST /notifications`).
package struct OneSignalMessage: Sendable {
    /// "To avoid truncation, keep payloads under 3500 bytes" ("OSNotification payload"): the phone's limit is 4,096,
    /// and OneSignal adds its own part. Applied here to everything except the address.
    package static let maximumBytes = 3_500
    /// "The additionalData field is limited to 2048 bytes" (same page).
    package static let maximumDataBytes = 2_048
    /// The maximum of APNs and FCM: 28 days.
    private static let maximumLifetime = Duration.seconds(28 * 86_400)

    /// A request's whole body.
    package let bytes: [UInt8]

    /// - Parameter now: the start of the time to live.
    package init(_ message: PushMessage, to device: Device, appID: String, at now: Timestamp) {
        let lifetime = min(max(message.expiry - now, .seconds(1)), Self.maximumLifetime).components.seconds
        var parts = PayloadParts(message) { _ in false }
        // OneSignal refuses a message without contents, but not one without headings.
        if parts.body.isEmpty { swap(&parts.title, &parts.body) }
        let hasHeadings = !parts.title.isEmpty
        while case let excess = Writing.data(of: message, parts: parts).count - Self.maximumDataBytes, excess > 0 {
            guard parts.free(excess) else { break }
        }
        let rest = parts.payload(maximumBytes: Self.maximumBytes) { parts in
            Writing(message: message, parts: parts, hasHeadings: hasHeadings, lifetime: lifetime).bytes
        }
        var json = JSONWriter(capacity: rest.count + 256)
        json.object { json in
            json.member("app_id", appID)
            json.member("target_channel", "push")
            Self.writeTarget(device.token, into: &json)
            json.member("idempotency_key", IdempotencyKey.text(of: message, to: device))
            json.raw(rest.dropFirst().dropLast())
        }
        bytes = json.bytes
    }

    /// One subscription, or all push subscriptions of a user whom the app has logged in by its own id.
    private static func writeTarget(_ token: String, into json: inout JSONWriter) {
        guard token.hasPrefix(Device.oneSignalUserPrefix) else {
            return json.member("include_subscription_ids", .array([.string(token)]))
        }
        let user = String(token.dropFirst(Device.oneSignalUserPrefix.count))
        json.member("include_aliases", ["external_id": .array([.string(user)])])
    }
}

/// A message without its recipient.
private struct Writing {
    let message: PushMessage
    let parts: PayloadParts
    let hasHeadings: Bool
    /// In seconds.
    let lifetime: Int64

    var bytes: [UInt8] {
        var json = JSONWriter(capacity: 1_024)
        json.object { json in
            switch message.kind {
            case .alert:
                writeAlert(into: &json)
                writeBadge(into: &json)
            case .background:
                json.member("content_available", true)
            case .badgeOnly:
                json.member("content_available", true)
                writeBadge(into: &json)
            }
            json.member("data", raw: Self.data(of: message, parts: parts))
            json.member("collapse_id", message.collapseID)
            json.member("priority", message.kind == .alert && message.content?.urgency != .low ? 10 : 5)
            json.member("ttl", lifetime)
        }
        return json.bytes
    }

    /// The text is in the person's language. It is sent as English, which OneSignal requires and every language falls
    /// back to.
    private func writeAlert(into json: inout JSONWriter) {
        if hasHeadings {
            json.key("headings")
            json.object { $0.member("en", parts.title) }
        }
        json.key("contents")
        json.object { $0.member("en", parts.body) }
        if let group = parts.group {
            json.member("thread_id", group)
            json.member("android_group", group)
        }
        switch parts.sound {
        case "default": break  // played when nothing is said
        case let sound?: json.member("ios_sound", sound)
        case nil: json.member("ios_sound", "nil")  // OneSignal's word for none
        }
        // See ``FCMMessage``: OneSignal's SDK also ignores a channel that the app has not made.
        if message.isGrowth, parts.sound == nil { json.member("existing_android_channel_id", "quiet") }
        if let actions = parts.actions { json.member("ios_category", actions) }
        if !parts.answers.isEmpty {
            json.member("buttons", .array(parts.answers.map { ["id": .string($0.id), "text": .string($0.words)] }))
        }
        switch message.content?.urgency {
        case .low: json.member("ios_interruption_level", "passive")
        case .urgent: json.member("ios_interruption_level", "time_sensitive")
        case .normal, nil: break  // "active" is what is taken when nothing is said
        }
        if parts.mayChange { json.member("mutable_content", true) }
        if message.content?.wakesApp == true { json.member("content_available", true) }
        guard let image = parts.image else { return }
        json.member("big_picture", image)
        json.member("chrome_web_image", image)
        json.member("ios_attachments", ["image": .string(image)])
    }

    /// Sets the number itself: "Increase" would count pushes, including those that were seen elsewhere.
    private func writeBadge(into json: inout JSONWriter) {
        json.member("ios_badgeType", "SetTo")
        json.member("ios_badgeCount", message.badge)
    }

    static func data(of message: PushMessage, parts: PayloadParts) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.members(of: JSONObject(parts.data))
            json.member("belfry", raw: message.ownValue(parts))
        }
        return json.bytes
    }
}
