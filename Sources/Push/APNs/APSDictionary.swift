import Inbox
import JSON

/// Apple's own part of a payload (Apple, "Generating a remote notification"); FCM passes it on unchanged.
struct APSDictionary {
    let message: PushMessage
    let parts: PayloadParts
    /// False for FCM, which has the texts in its own part of the message.
    var hasAlert = true

    /// Writes the dictionary as a value; returns the byte range of the badge's number.
    @discardableResult
    func write(into json: inout JSONWriter) -> Range<Int>? {
        var badge: Range<Int>?
        json.object { json in
            switch message.kind {
            case .alert:
                badge = writeAlert(into: &json)
            case .background:
                // No other member is allowed here ("Pushing background updates to your app").
                json.member("content-available", 1)
            case .badgeOnly:
                badge = writeBadge(into: &json)
                // Lets the app remove notifications from the screen.
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
        // Runs the app's service extension, which loads a picture and can show a group's line.
        if parts.mayChange || parts.image != nil { json.member("mutable-content", 1) }
        if message.shared?.content.wakesApp == true { json.member("content-available", 1) }
        return badge
    }

    /// `apns-push-type`. A push that sets a badge is no background push for Apple, even if it shows nothing else.
    static func pushType(_ kind: PushMessage.Kind) -> String { kind == .background ? "background" : "alert" }

    /// `apns-priority`: 10 is for visible, urgent pushes, and is an error for background pushes.
    static func priority(of message: PushMessage) -> String {
        message.kind == .alert && message.shared?.content.urgency != .low ? "10" : "5"
    }

    /// `apns-expiration`, in seconds since 1970. 0 would mean "do not store": a phone that is off for a moment would
    /// never get the push.
    static func expiration(of message: PushMessage) -> String { String(max(message.expiry.milliseconds / 1_000, 1)) }
}
