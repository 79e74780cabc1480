package import Inbox
import JSON

/// The result of one request to the sink.
package struct SinkRecord: Sendable {
    /// The request's number, from 1.
    package let number: Int
    package let at: Timestamp
    package let route: SinkRoute
    /// The device that the request names, if any.
    package let device: String?
    /// Headers that describe the push; never a secret one.
    package let headers: [(name: String, value: String)]
    /// The scripted fault's name.
    package let fault: String?
    /// The reply to the sender; nil if there was none.
    package let reply: PushReply?
    /// The pushes that phones show.
    package let shown: [ShownPush]

    private static let telling: Set = [
        "apns-collapse-id", "apns-priority", "apns-push-type", "apns-topic", "apns-expiration", "ttl", "urgency",
        "topic",
    ]

    package init(
        number: Int, at: Timestamp, route: SinkRoute, device: String?, request: SinkRequest, fault: String?,
        reply: PushReply?, shown: [ShownPush]
    ) {
        self.number = number
        self.at = at
        self.route = route
        self.device = device
        headers = request.headers.filter { Self.telling.contains($0.name) }
        self.fault = fault
        self.reply = reply
        self.shown = shown
    }

    /// The record as one object for people and tests, with the phone's view.
    package var line: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("number", number)
            json.member("at", at.iso8601)
            json.member("ms", at.milliseconds)
            json.member("provider", route.name)
            if let device { json.member("device", device) }
            if let reply { json.member("status", reply.status) }
            if let fault { json.member("fault", fault) }
            if let text = refusal { json.member("reply", text) }
            for header in headers {
                json.key(dynamic: header.name)
                json.value(header.value)
            }
            writeShown(to: &json)
        }
        return json.bytes
    }

    /// The service's words about a refusal. OneSignal may refuse with status 200.
    private var refusal: JSONValue? {
        // The token endpoint's other replies are secret.
        guard let reply, reply.status >= 300 || (shown.isEmpty && route != .token) else { return nil }
        return reply.text
    }

    private func writeShown(to json: inout JSONWriter) {
        guard shown.count != 1 else { return shown[0].writeMembers(to: &json) }
        guard !shown.isEmpty else { return }
        json.key("shown")
        json.array { json in
            for push in shown {
                json.object { json in
                    json.member("device", push.device)
                    push.writeMembers(to: &json)
                }
            }
        }
    }

    /// The record in short for load tests: ids and outcome, no texts.
    package var compactLine: [UInt8] {
        var json = JSONWriter(capacity: 160)
        json.object { json in
            json.member("at", at.milliseconds)
            json.member("provider", route.name)
            if let device { json.member("device", device) }
            if let collapseID { json.member("collapse", collapseID) }
            if let reply { json.member("status", reply.status) }
            if let fault { json.member("fault", fault) }
            if shown.contains(where: \.isVisible) { json.member("shown", true) }
        }
        return json.bytes
    }

    /// The id by which the push replaces another; nil if unknown, as in the body of a refused push.
    private var collapseID: String? {
        shown.first?.collapseID
            ?? headers.first { $0.name == "apns-collapse-id" || $0.name == "topic" }?.value
    }
}

extension PushReply {
    /// The body as JSON, or as a string if it is no JSON; nil if empty.
    fileprivate var text: JSONValue? {
        guard !body.isEmpty else { return nil }
        // A service's text need not be JSON.
        return (try? JSONValue(parsing: body)) ?? .string(String(decoding: body, as: UTF8.self))
    }
}

extension ShownPush {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("title", title.map(JSONValue.string) ?? .null)
        json.member("body", body.map(JSONValue.string) ?? .null)
        json.member("badge", badge.map(JSONValue.int) ?? .null)
        json.member("thread", thread.map(JSONValue.string) ?? .null)
        json.member("collapseID", collapseID.map(JSONValue.string) ?? .null)
        json.member("data", .object(data))
        if let activity { json.member("activity", .object(activity.content)) }
        if !withdrawn.isEmpty { json.member("withdrawn", .array(withdrawn.map(JSONValue.string))) }
    }
}
