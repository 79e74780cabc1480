import JSON

/// A declarative push message as a browser reads it that shows it without a service worker.
///
/// Follows "declarative push message parser" of the W3C's Push API, and Safari's own reader where that is stricter.
/// Safari fails for optional members of a wrong type, an empty title and a relative address. Safari 18.4 reads the
/// number within the notification, and later ones at the top, so both have to be there and equal.
struct DeclarativePush {
    /// What a browser would not accept.
    struct Problem: Error { let reason: String }

    let title: String
    let body: String?
    let tag: String?
    let data: JSONObject
    let appBadge: Int64
    let address: String

    /// Whether a browser would try to read the payload in this way.
    static func isMeant(by payload: JSONObject) -> Bool { payload["web_push"] != nil }

    init(_ payload: JSONObject) throws(Problem) {
        guard payload["web_push"]?.int == WebPushPayload.declarativeMark else { throw Problem(reason: "web_push") }
        guard let notification = payload["notification"]?.object else { throw Problem(reason: "notification") }
        guard let title = notification["title"]?.string, !title.isEmpty else { throw Problem(reason: "title") }
        guard let address = notification["navigate"]?.string, Self.isAbsolute(address) else {
            throw Problem(reason: "navigate")
        }
        for name in ["lang", "body", "tag", "icon", "image", "badge"] {
            if let value = notification[name], value.string == nil { throw Problem(reason: name) }
        }
        for name in ["silent", "renotify", "requireInteraction"] {
            if let value = notification[name], value.bool == nil { throw Problem(reason: name) }
        }
        if let value = notification["timestamp"], value.int.map({ $0 >= 0 }) != true {
            throw Problem(reason: "timestamp")
        }
        if let value = notification["dir"], !["auto", "ltr", "rtl"].contains(value.string) {
            throw Problem(reason: "dir")
        }
        // "Create a notification" of the Notifications API throws.
        if notification["renotify"]?.bool == true, notification["tag"]?.string?.isEmpty ?? true {
            throw Problem(reason: "renotify without tag")
        }
        for action in notification["actions"]?.array ?? [] {
            guard ["action", "title", "navigate"].allSatisfy({ action.at([$0])?.string != nil }) else {
                throw Problem(reason: "actions")
            }
        }
        for value in [payload["mutable"], notification["mutable"]].compactMap(\.self) where value.bool == nil {
            throw Problem(reason: "mutable")
        }
        guard let badge = payload["app_badge"]?.int, badge >= 0, notification["app_badge"]?.int == badge else {
            throw Problem(reason: "app_badge")
        }
        (self.title, self.address, appBadge) = (title, address, badge)
        (body, tag) = (notification["body"]?.string, notification["tag"]?.string)
        data = notification["data"]?.object ?? [:]
    }

    private static func isAbsolute(_ address: String) -> Bool {
        ["https://", "http://"].contains { address.lowercased().hasPrefix($0) && address.count > $0.count }
    }
}
