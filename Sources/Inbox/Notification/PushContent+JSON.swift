package import JSON

extension PushContent {
    /// The form in which a store keeps it: `{"title":…,"body":…,"group":…,"urgency":"normal","badge":"unread",
    /// "data":{…}}`.
    package var json: JSONValue {
        [
            "title": .string(title),
            "body": .string(body),
            "group": group.map { .string($0) } ?? .null,
            "urgency": .string(urgency.rawValue),
            "badge": .string(badge.rawValue),
            "data": .object(data),
        ]
    }

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: JSONValue) {
        guard let object = json.object,
            let title = object["title"]?.string, let body = object["body"]?.string,
            let urgency = object["urgency"]?.string.flatMap(PushPolicy.Urgency.init(rawValue:)),
            let badge = object["badge"]?.string.flatMap(BadgeRule.init(rawValue:)),
            let data = object["data"]?.object
        else { return nil }
        self.init(
            title: title, body: body, group: object["group"]?.string, urgency: urgency, badge: badge, data: data)
    }
}
