import Inbox
import JSON

/// Apple's own part of a payload (Apple, "Generating a remote notification"); FCM hands it on as it is.
struct APSDictionary {
    let message: PushMessage
    let parts: PayloadParts
    /// FCM takes the texts from its own part of the message.
    var hasAlert = true

    /// Writes the dictionary as a value; tells where in the bytes the badge's number stands.
    @discardableResult
    func write(into json: inout JSONWriter) -> Range<Int>? {
        var badge: Range<Int>?
        json.object { json in
            switch message.kind {
            case .alert:
                badge = writeAlert(into: &json)
            case .background:
                // Nothing else may be in it ("Pushing background updates to your app").
                json.member("content-available", 1)
            case .badgeOnly:
                badge = writeBadge(into: &json)
                // Lets the app take back what is on the screen.
                json.member("content-available", 1)
            }
        }
        return badge
    }

    private func writeBadge(into json: inout JSONWriter) -> Range<Int> {
        json.key("badge")
        let start = json.bytes.count
        json.value(message.badge)
        return start..<json.bytes.count
    }

    private func writeAlert(into json: inout JSONWriter) -> Range<Int> {
        if hasAlert {
            json.key("alert")
            json.object { json in
                json.member("title", parts.title)
                json.member("body", parts.body)
            }
        }
        let badge = writeBadge(into: &json)
        if let sound = parts.sound { json.member("sound", sound) }
        if let group = parts.group { json.member("thread-id", group) }
        if let actions = parts.actions { json.member("category", actions) }
        switch message.shared?.content.urgency {
        case .low: json.member("interruption-level", "passive")
        case .urgent: json.member("interruption-level", "time-sensitive")
        case .normal, nil: break  // "active" is what Apple takes when nothing is said
        }
        // The app's service extension, which loads a picture and can show a group's line, runs for such pushes only.
        if parts.mayChange || parts.image != nil { json.member("mutable-content", 1) }
        if message.shared?.content.wakesApp == true { json.member("content-available", 1) }
        return badge
    }

    /// `apns-push-type`. What sets a badge is no background push in Apple's sense, even if nobody sees it come.
    static func pushType(_ kind: PushMessage.Kind) -> String { kind == .background ? "background" : "alert" }

    /// `apns-priority`: 10 is for what shows itself and is wanted at once, and an error for background pushes.
    static func priority(of message: PushMessage) -> String {
        message.kind == .alert && message.shared?.content.urgency != .low ? "10" : "5"
    }

    /// `apns-expiration`, in seconds since 1970. 0 would mean "do not store": then a phone that is off for a moment
    /// never gets it.
    static func expiration(of message: PushMessage) -> String { String(max(message.expiry.milliseconds / 1_000, 1)) }
}
