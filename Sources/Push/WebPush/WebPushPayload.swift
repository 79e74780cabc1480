package import Inbox
import JSON

/// The JSON that a push brings to a page's service worker.
///
/// `title`, `body`, `image`, `tag`, `renotify`, `silent`, `timestamp` and `data` are named and meant as for
/// `showNotification` (Notifications API), so that they can be passed on as they are. `badge` is the number for
/// `navigator.setAppBadge`. `group` and `category` are the app's own words, the second for the buttons that it shows:
/// `actions` is taken by that API, which fails on a mere name. `belfry` holds what the push is about and the inbox as
/// it was: `{id, rev, epoch, seq, withdrawn}`.
package struct WebPushPayload: Sendable {
    package let bytes: [UInt8]

    /// - Parameter now: becomes the time that the browser shows.
    package init(
        _ message: PushMessage, maximumBytes: Int = WebPushEncryption.maximumPlaintextBytes, at now: Timestamp
    ) {
        bytes = PayloadParts(message, isReserved: { _ in false }).payload(maximumBytes: maximumBytes) { parts in
            var json = JSONWriter(capacity: 1_024)
            json.object { json in
                json.member("title", parts.title)
                json.member("body", parts.body)
                json.member("tag", message.collapseID)
                // A push that replaces another is silent unless it asks. One that only came twice stays so, and one
                // that has grown if its catalog gives growth no sound: whether the browser still shows the earlier one
                // is not known.
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
