package import Inbox
import JSON

/// The JSON of a push to a Live Activity (ActivityKit, "Starting and updating Live Activities with ActivityKit push
/// notifications"). FCM passes it on unchanged.
///
/// Nothing can be left out where it is too large: the app decodes all of the state, or shows nothing.
package enum ActivityPayload {
    package static let maximumBytes = 4_096

    package static func bytes(_ push: ActivityPush) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.key("aps")
            json.object { write(push, to: &$0) }
        }
        return json.bytes
    }

    /// Whether the content fits into a payload, whatever its times are.
    package static func fits(_ content: ActivityContent) -> Bool {
        let push = ActivityPush(
            content: content, token: nil, timestamp: 9_999_999_999, isPressing: true,
            expiry: Timestamp(milliseconds: 0))
        // A message to an Android device is JSON in a JSON string, which has a backslash for each quote.
        return bytes(push).count <= maximumBytes && ActivityMessage.data(push).count <= maximumBytes
    }

    private static func write(_ push: ActivityPush, to json: inout JSONWriter) {
        let content = push.content
        json.member("timestamp", push.timestamp)
        json.member("event", content.event.rawValue)
        json.member("content-state", .object(content.state))
        if let beginning = content.beginning {
            json.member("attributes-type", beginning.type)
            json.member("attributes", .object(beginning.attributes))
            // Asks the system for the token of the new activity, which the app sends on.
            json.member("input-push-token", 1)
        }
        if let alert = content.alert {
            json.key("alert")
            json.object { json in
                json.member("title", alert.title)
                json.member("body", alert.body)
                if let sound = alert.sound { json.member("sound", sound) }
            }
        }
        if let relevance = content.relevance { json.member("relevance-score", relevance) }
        if let time = push.staleAt { json.member("stale-date", time) }
        if let time = push.dismissAt { json.member("dismissal-date", time) }
    }
}
