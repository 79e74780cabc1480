package import Inbox
import JSON

/// The JSON of a push to a page's service worker.
///
/// `title`, `body`, `image`, `tag`, `renotify`, `silent`, `timestamp` and `data` have the names and meanings of
/// `showNotification` (Notifications API), so that they can be passed on unchanged. `badge` is the number for
/// `navigator.setAppBadge`. `group` and `category` are the app's own; `category` names its buttons. It is not called
/// `actions`, because that API has such an option and fails on a plain name. `belfry` holds the notification and the
/// inbox's position: `{id, rev, epoch, seq, withdrawn}`.
package struct WebPushPayload: Sendable {
    package let bytes: [UInt8]

    /// - Parameter now: the time that the browser shows.
    package init(
        _ message: PushMessage, maximumBytes: Int = WebPushEncryption.maximumPlaintextBytes, at now: Timestamp
    ) {
        bytes = PayloadParts(message, isReserved: { _ in false }).payload(maximumBytes: maximumBytes) { parts in
            var json = JSONWriter(capacity: 1_024)
            json.object { json in
                json.member("title", parts.title)
                json.member("body", parts.body)
                json.member("tag", message.collapseID)
                // A push that replaces another one is silent unless it asks. A repeated push stays silent, and so does
                // a grown one whose catalog sets no growth sound: the browser may still show the earlier one.
                if message.rev > 1, message.content?.growthSound != nil { json.member("renotify", true) }
                if message.sound == nil { json.member("silent", true) }
                json.member("badge", message.badge)
                if let image = parts.image { json.member("image", image) }
                if let group = parts.group { json.member("group", group) }
                if let actions = parts.actions { json.member("category", actions) }
                json.member("timestamp", now.milliseconds)
                if !parts.data.isEmpty { json.member("data", .object(JSONObject(parts.data))) }
                json.member("belfry", raw: message.ownValue(withdrawn: parts.withdrawn))
            }
            return json.bytes
        }
    }
}
