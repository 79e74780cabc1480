package import Inbox
import JSON

/// The JSON of a push to FCM (Firebase, "REST Resource: projects.messages").
///
/// It is for Android, iOS and browsers at once, because a registration token does not tell which of them it is.
///
/// Google limits "the total size of the payload data included in a message", keys and values, to 4,096 bytes
/// ("ErrorCode"). Here the limit applies to the whole message without its token, platform blocks included. That is more
/// than Google counts, and leaves room for FCM's additions for iPhones, where Apple's limit is the same.
package struct FCMMessage: Sendable {
    package static let maximumBytes = 4_096
    /// "The maximum time to live supported is 4 weeks" (`AndroidConfig.ttl`).
    private static let maximumLifetime = Duration.seconds(28 * 86_400)

    /// A request's whole body.
    package let bytes: [UInt8]

    /// - Parameter now: the start of the time to live.
    package init(_ message: PushMessage, token: String, at now: Timestamp) {
        let lifetime = min(max(message.expiry - now, .seconds(1)), Self.maximumLifetime).components.seconds
        let parts = PayloadParts(message, isReserved: Self.isReserved)
        let rest = parts.payload(maximumBytes: Self.maximumBytes) { parts in
            Writing(message: message, parts: parts, lifetime: lifetime).bytes
        }
        var json = JSONWriter(capacity: rest.count + token.utf8.count + 32)
        json.object { json in
            json.key("message")
            json.object { json in
                // `token` also takes installation ids, which Google is about to use in place of tokens
                // (`Message.token`).
                json.member("token", token)
                json.raw(rest.dropFirst().dropLast())
            }
        }
        bytes = json.bytes
    }

    /// Keys of `data` that make FCM refuse the whole message. "ErrorCode" names "from", "gcm", and any value prefixed
    /// by "google". `Message.data` names "from", "message_type", and words that begin with "google." or
    /// "gcm.notification.".
    static func isReserved(_ key: String) -> Bool {
        key == "from" || key == "message_type" || key == "gcm" || key.hasPrefix("gcm.") || key.hasPrefix("google")
    }
}

/// A message without its token.
private struct Writing {
    let message: PushMessage
    let parts: PayloadParts
    /// In seconds.
    let lifetime: Int64

    var bytes: [UInt8] {
        var json = JSONWriter(capacity: 1_024)
        json.object { json in
            if message.kind == .alert { writeNotification(into: &json) }
            writeData(into: &json)
            writeAndroid(into: &json)
            writeAPNs(into: &json)
            writeWebPush(into: &json)
        }
        return json.bytes
    }

    private func writeNotification(into json: inout JSONWriter) {
        json.key("notification")
        json.object { json in
            json.member("title", parts.title)
            json.member("body", parts.body)
            if let image = parts.image { json.member("image", image) }
        }
    }

    /// FCM takes strings only: numbers and booleans are written as in JSON, and Belfry's own member is JSON in a
    /// string.
    private func writeData(into json: inout JSONWriter) {
        json.key("data")
        json.object { json in
            for member in parts.data where member.value != .null {
                json.key(dynamic: member.key)
                json.value(member.value.string ?? String(decoding: member.value.encoded, as: UTF8.self))
            }
            json.key(dynamic: PushMessage.ownMember)
            json.value(String(decoding: message.ownValue(parts), as: UTF8.self))
        }
    }

    private func writeAndroid(into json: inout JSONWriter) {
        json.key("android")
        json.object { json in
            // While a phone is offline, FCM keeps messages under at most four such keys; the inbox has the others.
            json.member("collapse_key", message.collapseID)
            json.member("priority", isPressing ? "HIGH" : "NORMAL")
            json.member("ttl", "\(lifetime)s")
            guard message.kind == .alert else { return }
            json.key("notification")
            json.object { json in
                json.member("tag", message.collapseID)
                if let sound = parts.sound { json.member("sound", sound) }
                // From Android 8 a channel decides; a channel that the app has not made means the default one
                // (`AndroidNotification.channel_id`).
                if message.isGrowth, parts.sound == nil { json.member("channel_id", "quiet") }
                if let actions = parts.actions { json.member("click_action", actions) }
                json.member("notification_count", min(max(message.badge, 0), Int64(Int32.max)))
            }
        }
    }

    private func writeAPNs(into json: inout JSONWriter) {
        json.key("apns")
        json.object { json in
            json.key("headers")
            json.object { json in
                json.member("apns-push-type", APSDictionary.pushType(message.kind))
                json.member("apns-priority", APSDictionary.priority(of: message))
                json.member("apns-expiration", APSDictionary.expiration(of: message))
                json.member("apns-collapse-id", message.collapseID)
            }
            json.key("payload")
            json.object { json in
                json.key("aps")
                APSDictionary(message: message, parts: parts, hasAlert: false).write(into: &json)
            }
            guard let image = parts.image else { return }
            json.key("fcm_options")
            json.object { $0.member("image", image) }
        }
    }

    private func writeWebPush(into json: inout JSONWriter) {
        json.key("webpush")
        json.object { json in
            json.key("headers")
            json.object { json in
                json.member("TTL", String(lifetime))
                json.member("Urgency", webPushUrgency)
                json.member("Topic", WebPushTopic.text(of: message.collapseID))
            }
            guard message.kind == .alert else { return }
            json.key("notification")
            json.object { $0.member("tag", message.collapseID) }
        }
    }

    /// RFC 8030 §5.3.
    private var webPushUrgency: String {
        switch message.content?.urgency {
        case .urgent: "high"
        case .normal: "normal"
        case .low: "low"
        case nil: "very-low"
        }
    }

    /// High priority wakes a dozing phone; Google lowers it again for senders whose pushes show nothing (Firebase, "Set
    /// and manage Android message priority").
    private var isPressing: Bool { message.kind == .alert && message.content?.urgency != .low }
}
