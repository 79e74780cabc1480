package import JSON

/// The stored form of an event that reaches its people page by page: the event once, and some people a page.
extension Event {
    /// The event for ``init(stored:)``, with nobody in `to`.
    package var jsonWithoutRecipients: JSONObject {
        var json: JSONObject = ["type": .string(type), "to": [:], "data": .object(data)]
        if !app.isUnnamed { json["app"] = .string(app.text) }
        json["key"] = key.map(JSONValue.string)
        json["actor"] = actor.map(JSONValue.object)
        json["occurredAt"] = occurredAt.map { .string($0.iso8601) }
        json["notBefore"] = notBefore.map { .string($0.iso8601) }
        json["expiresAt"] = expiresAt.map { .string($0.iso8601) }
        var push = JSONObject()
        push["when"] = self.push.map { .string($0.rawValue) }
        push["urgency"] = urgency.map { .string($0.rawValue) }
        if !push.isEmpty { json["push"] = .object(push) }
        json["question"] = question.map { .object($0.json) }
        return json
    }
}

extension Event.RecipientList {
    /// The list's people by their keys, with their own data, for ``Event/recipients(stored:)``.
    package var jsonOfUsers: JSONValue {
        .array(
            users.map { user in
                guard let own = own[user] else { return .string(user.key) }
                return ["user": .string(user.key), "data": .object(own)]
            })
    }
}
