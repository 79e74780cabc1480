import Inbox
import JSON

/// The JSON of a push to a Live Activity by FCM. For an iPhone it is ActivityKit's payload with the activity's own token
/// (Firebase, "Get started with Live Activity"). For Android it is a data message, which the app shows as an ongoing
/// notification.
enum ActivityMessage {
    /// The member of an Android message's data, a JSON text.
    static let member = "belfryActivity"

    /// A request's whole body.
    /// - Parameters:
    ///   - token: the app's registration token.
    ///   - now: the start of the time to live.
    static func bytes(_ push: ActivityPush, token: String, at now: Timestamp) -> [UInt8] {
        var json = JSONWriter(capacity: 1_024)
        json.object { json in
            json.key("message")
            json.object { json in
                json.member("token", token)
                if let activity = push.token {
                    writeAPNs(push, token: activity, to: &json)
                } else {
                    writeAndroid(push, at: now, to: &json)
                }
            }
        }
        return json.bytes
    }

    private static func writeAPNs(_ push: ActivityPush, token: String, to json: inout JSONWriter) {
        json.key("apns")
        json.object { json in
            json.member("live_activity_token", token)
            json.key("headers")
            json.object { json in
                for header in push.headers {
                    json.key(dynamic: header.name)
                    json.value(header.value)
                }
            }
            json.member("payload", raw: ActivityPayload.bytes(push))
        }
    }

    private static func writeAndroid(_ push: ActivityPush, at now: Timestamp, to json: inout JSONWriter) {
        json.member("data", raw: data(push))
        json.key("android")
        json.object { json in
            json.member("collapse_key", push.collapseID)
            json.member("priority", push.isPressing ? "HIGH" : "NORMAL")
            json.member("ttl", "\(max(push.expiry - now, .seconds(1)).components.seconds)s")
        }
    }

    /// The data of an Android message.
    static func data(_ push: ActivityPush) -> [UInt8] {
        let content = push.content
        var value: JSONObject = [
            "event": .string(content.event.rawValue), "key": .string(content.key), "timestamp": .int(push.timestamp),
        ]
        if let beginning = content.beginning {
            value["type"] = .string(beginning.type)
            value["attributes"] = .object(beginning.attributes)
        }
        value["state"] = .object(content.state)
        if let alert = content.alert {
            var words: JSONObject = ["title": .string(alert.title), "body": .string(alert.body)]
            words["sound"] = alert.sound.map(JSONValue.string)
            value["alert"] = .object(words)
        }
        value["relevance"] = content.relevance
        value["staleAt"] = push.staleAt.map(JSONValue.int)
        value["dismissAt"] = push.dismissAt.map(JSONValue.int)
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.key(dynamic: member)
            json.value(String(decoding: JSONValue.object(value).encoded, as: UTF8.self))
        }
        return json.bytes
    }
}
