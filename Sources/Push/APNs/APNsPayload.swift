import Inbox
import JSON

/// The JSON that a push carries to the phone (Apple, "Generating a remote notification").
///
/// Beside Apple's `aps` it holds the app's own members, ours (`belfry`), and `image`, the URL of a picture that a
/// service extension may attach. Always within Apple's limit.
package struct APNsPayload: Sendable {
    package static let maximumBytes = 4_096

    package let bytes: [UInt8]

    package init(_ message: PushMessage) {
        // `aps` is Apple's: a member of that name would hide the alert.
        let parts = PayloadParts(message) { $0 == "aps" }
        bytes = parts.payload(maximumBytes: Self.maximumBytes) { parts in
            var json = JSONWriter(capacity: 512)
            json.object { json in
                json.key("aps")
                APSDictionary(message: message, parts: parts).write(into: &json)
                json.members(of: JSONObject(parts.data))
                if let image = parts.image, !parts.data.contains(where: { $0.key == "image" }) {
                    json.member("image", image)
                }
                json.member("belfry", raw: message.ownValue(withdrawn: parts.withdrawn))
            }
            return json.bytes
        }
    }
}
