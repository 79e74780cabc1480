package import Inbox
import JSON

/// The JSON of a push to a page: in the form that browsers show without a service worker, or in that of a worker.
///
/// With a page to open it is a declarative push message (W3C Push API, "Declarative push message"). Browsers that know
/// this form show it themselves, and others hand it to the worker. Without a page it has the members of the
/// notification at its top, for a worker alone.
///
/// `title`, `body`, `image`, `tag`, `renotify`, `silent`, `timestamp` and `data` have the names and meanings of
/// `showNotification` (Notifications API), so that a worker can pass them on unchanged. The number for
/// `navigator.setAppBadge` is `app_badge`, for a worker alone `badge`. `group` and `category` are the app's own;
/// `category` names its buttons. It is not called `actions`, because that API has such an option and fails on a plain
/// name. `belfry` holds the notification and the inbox's position: `{id, rev, epoch, seq, withdrawn}`. Browsers keep only
/// `data` with a notification that they show themselves, so it is a member of `data` there.
package struct WebPushPayload: Sendable {
    /// The value of `web_push` that tells a declarative message from other JSON.
    static let declarativeMark: Int64 = 8_030

    package let bytes: [UInt8]

    /// - Parameters:
    ///   - page: the page that a click opens, and to which the link in the app's `data.url` is relative.
    ///   - now: the time that the browser shows.
    package init(
        _ message: PushMessage, page: WebPushScope? = nil,
        maximumBytes: Int = WebPushEncryption.maximumPlaintextBytes, at now: Timestamp
    ) {
        var parts = PayloadParts(message, isReserved: { _ in false })
        let address = page?.address(of: message.content?.data["url"]?.string)
        // Safari takes no declarative message without a title.
        if address != nil, parts.title.isEmpty { (parts.title, parts.body) = (parts.body, "") }
        bytes = parts.payload(maximumBytes: maximumBytes) { parts in
            var json = JSONWriter(capacity: 1_024)
            json.object { json in
                if let address {
                    Self.writeDeclarative(message, parts, opening: address, to: &json, at: now)
                } else {
                    Self.writeNotification(message, parts, to: &json, at: now)
                    Self.writeActions(parts, opening: nil, to: &json)
                    json.member("badge", message.badge)
                    if !parts.data.isEmpty { json.member("data", .object(JSONObject(parts.data))) }
                    json.member("belfry", raw: message.ownValue(parts))
                }
                if let group = parts.group { json.member("group", group) }
                if let actions = parts.actions { json.member("category", actions) }
            }
            return json.bytes
        }
    }

    private static func writeDeclarative(
        _ message: PushMessage, _ parts: PayloadParts, opening address: String, to json: inout JSONWriter,
        at now: Timestamp
    ) {
        json.member("web_push", declarativeMark)
        json.key("notification")
        json.object { json in
            writeNotification(message, parts, to: &json, at: now)
            json.member("navigate", address)
            writeActions(parts, opening: address, to: &json)
            // Where Safari 18.4 looks for it. Later ones and the draft have it at the top.
            json.member("app_badge", message.badge)
            json.key("data")
            json.object { json in
                json.members(of: JSONObject(parts.data))
                json.member("belfry", raw: message.ownValue(parts))
            }
        }
        json.member("app_badge", message.badge)
    }

    /// The question's buttons, in the form of `showNotification`.
    /// - Parameter address: what a browser opens at a click that shows the message itself, as the draft demands for each
    ///   action.
    private static func writeActions(_ parts: PayloadParts, opening address: String?, to json: inout JSONWriter) {
        guard !parts.answers.isEmpty else { return }
        json.key("actions")
        json.array { json in
            for answer in parts.answers {
                json.object { json in
                    json.member("action", answer.id)
                    json.member("title", answer.words)
                    if let address { json.member("navigate", address) }
                }
            }
        }
    }

    private static func writeNotification(
        _ message: PushMessage, _ parts: PayloadParts, to json: inout JSONWriter, at now: Timestamp
    ) {
        json.member("title", parts.title)
        json.member("body", parts.body)
        json.member("tag", message.collapseID)
        // A push that replaces another one is silent unless it asks. A repeated push stays silent, and so does a grown
        // one whose catalog sets no growth sound: the browser may still show the earlier one.
        if message.rev > 1, message.content?.growthSound != nil { json.member("renotify", true) }
        if message.sound == nil { json.member("silent", true) }
        if let image = parts.image { json.member("image", image) }
        json.member("timestamp", now.milliseconds)
    }
}
