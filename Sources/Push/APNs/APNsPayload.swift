package import Inbox
import JSON

/// The JSON that a push carries to the phone (Apple, "Generating a remote notification").
///
/// Always within Apple's limit: a text too long is cut, for a push with a short text is worth more than none.
package struct APNsPayload: Sendable {
    package static let maximumBytes = 4_096

    package let bytes: [UInt8]

    /// - Parameter badge: absolute, as APNs cannot increment.
    package init(_ content: PushContent, badge: Int64) {
        var frame = Frame(content, badge: badge)
        var room = Self.maximumBytes - frame.bytes(title: "", body: "").count
        // Even without any text too long: what the app can miss goes first, the grouping last.
        while room < 0, !frame.data.isEmpty {
            frame.data.removeLast()
            room = Self.maximumBytes - frame.bytes(title: "", body: "").count
        }
        if room < 0 {
            frame.group = nil
            room = Self.maximumBytes - frame.bytes(title: "", body: "").count
        }
        let title = ShortenedText(content.title, maximumBytes: room)
        let body = ShortenedText(content.body, maximumBytes: room - title.bytes)
        bytes = frame.bytes(title: title.text, body: body.text)
    }

    /// All of a payload but its text.
    private struct Frame {
        let badge: Int64
        let interruption: String
        var group: String?
        var data: [JSONObject.Member]

        init(_ content: PushContent, badge: Int64) {
            self.badge = badge
            interruption =
                switch content.urgency {
                case .low: "passive"
                case .normal: "active"
                case .urgent: "time-sensitive"
                }
            group = content.group
            // `aps` is Apple's: a member of that name would hide the alert.
            data = content.data.members.filter { $0.key != "aps" }
        }

        func bytes(title: String, body: String) -> [UInt8] {
            var json = JSONWriter(capacity: 512)
            json.object { json in
                json.key("aps")
                json.object { json in
                    json.key("alert")
                    json.object { json in
                        json.member("title", title)
                        json.member("body", body)
                    }
                    json.member("badge", badge)
                    json.member("sound", "default")
                    if let group { json.member("thread-id", group) }
                    json.member("interruption-level", interruption)
                }
                json.members(of: JSONObject(data))
            }
            return json.bytes
        }
    }
}
