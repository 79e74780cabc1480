package import Inbox
import JSON
package import Push
package import Store

/// Webhooks are written in the transaction of what they tell: an endpoint hears of exactly what was committed.
///
/// Their payloads have ids, and no texts: they pass through more hands than a store, and dead letters stay for days.
/// Whoever needs more asks for it.
extension OpenTransaction {
    /// How many notifications one webhook names at most, so that it stays below the 20 kB that the specification
    /// recommends.
    private static let notificationsPerWebhook = 500

    /// Tells that a person has seen or read notifications.
    package func tellWebhooks(
        _ kind: WebhookKind, _ rows: [NotificationRecord], of user: UserID, inbox: Int64, at now: Timestamp
    ) {
        guard let endpoints = endpoints(for: kind, of: user) else { return }
        var rest = rows[...]
        while !rest.isEmpty {
            let ids = rest.prefix(Self.notificationsPerWebhook)
                .map { NotificationID(inbox: inbox, sequence: $0.id).text }
            rest = rest.dropFirst(ids.count)
            var data = Self.data(of: user)
            data["notifications"] = .array(ids.map(JSONValue.string))
            add(kind, data, to: endpoints, inbox: inbox, at: now)
        }
    }

    /// - Parameter event: the one that asked.
    package func tellWebhooks(
        of answer: Answer, to notification: NotificationID, event: String, of user: UserID, at now: Timestamp
    ) {
        guard let endpoints = endpoints(for: .answered, of: user) else { return }
        var data = Self.data(of: user)
        data["notification"] = .string(notification.text)
        data["event"] = .string(event)
        data["action"] = answer.action.map(JSONValue.string) ?? .null
        data["way"] = .string(answer.way.rawValue)
        data["answeredAt"] = .string(answer.at.iso8601)
        add(.answered, data, to: endpoints, inbox: notification.inbox, at: now)
    }

    /// Tells a push's last verdict. A push that only sets a number has none that anybody waits for.
    package func tellWebhooks(ofVerdict verdict: String, reason: String? = nil, _ job: PushJob, at now: Timestamp) {
        guard let endpoints = endpoints(for: .verdict, of: job.user) else { return }
        let notifications = job.parts.compactMap(\.notification)
        guard let inbox = notifications.first?.inbox else { return }
        var data = Self.data(of: job.user)
        data["notifications"] = .array(notifications.map { .string($0.text) })
        Self.add(job.device, to: &data)
        data["verdict"] = .string(verdict)
        data["reason"] = reason.map(JSONValue.string)
        add(.verdict, data, to: endpoints, inbox: inbox, at: now)
    }

    package func tellWebhooks(ofGone device: Device, of user: UserID, inbox: Int64, at now: Timestamp) {
        guard let endpoints = endpoints(for: .gone, of: user) else { return }
        var data = Self.data(of: user)
        Self.add(device, to: &data)
        add(.gone, data, to: endpoints, inbox: inbox, at: now)
    }

    /// Nil if nobody hears of it.
    private func endpoints(for kind: WebhookKind, of user: UserID) -> [String]? {
        guard let rule = options.webhooks, rule.wants(kind) else { return nil }
        let endpoints = rule.endpoints(for: kind, in: user.app)
        return endpoints.isEmpty ? nil : endpoints
    }

    private static func data(of user: UserID) -> JSONObject {
        user.app.isUnnamed
            ? ["user": .string(user.name)] : ["app": .string(user.app.text), "user": .string(user.name)]
    }

    private static func add(_ device: Device, to data: inout JSONObject) {
        data["device"] = .string(device.id)
        if !device.app.isEmpty { data["deviceApp"] = .string(device.app) }
        data["provider"] = .string(device.provider.name)
    }

    /// The payload's form is that which the specification recommends (Standard Webhooks 1.0.0, "Payload structure",
    /// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
    private func add(_ kind: WebhookKind, _ data: JSONObject, to endpoints: [String], inbox: Int64, at now: Timestamp) {
        guard let rule = options.webhooks else { return }
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("type", kind.rawValue)
            json.member("timestamp", now.iso8601)
            json.member("data", .object(data))
        }
        for endpoint in endpoints {
            add(NewWebhook(id: rule.makeID(now), endpoint: endpoint, inbox: inbox, due: now, body: json.bytes))
        }
    }
}
