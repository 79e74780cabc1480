import Inbox
import JSON

/// The JSON of a push to a phone (Apple, "Generating a remote notification").
///
/// Beside Apple's `aps` it holds the app's own members, Belfry's member (`belfry`), and `image`, the URL of a picture
/// that a service extension may attach. Always within Apple's limit.
package struct APNsPayload: Sendable {
    package static let maximumBytes = 4_096

    /// The byte ranges that differ between pushes of one content to several devices.
    struct Places: Sendable {
        /// The number for the icon; nil for a push without one.
        var badge: Range<Int>?
        /// The value of Belfry's own member.
        var own = 0..<0
    }

    package let bytes: [UInt8]
    /// Nil if something was shortened or left out, because the cut depends on the values in these ranges.
    let places: Places?

    package init(_ message: PushMessage) {
        // `aps` is Apple's: a member of that name in the app's data would hide the alert.
        let parts = PayloadParts(message) { $0 == "aps" }
        var places = Places()
        var tries = 0
        bytes = parts.payload(maximumBytes: Self.maximumBytes) { parts in
            tries += 1
            return Self.write(message, parts, &places)
        }
        self.places = tries == 1 ? places : nil
    }

    private static func write(_ message: PushMessage, _ parts: PayloadParts, _ places: inout Places) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.key("aps")
            places.badge = APSDictionary(message: message, parts: parts).write(into: &json)
            json.members(of: JSONObject(parts.data))
            if let image = parts.image, !parts.data.contains(where: { $0.key == "image" }) {
                json.member("image", image)
            }
            json.key("belfry")
            let start = json.bytes.count
            json.raw(message.ownValue(parts))
            places.own = start..<json.bytes.count
        }
        return json.bytes
    }
}
