package import JSON

extension PushContent {
    /// The form in which a store keeps it: `{"title":…,"body":…,"group":…,"urgency":"normal","badge":"unread",
    /// "data":{…}}`, and what differs from the usual.
    package var json: JSONValue {
        var object: JSONObject = [
            "title": .string(title),
            "body": .string(body),
            "group": group.map { .string($0) } ?? .null,
            "urgency": .string(urgency.rawValue),
            "badge": .string(badge.rawValue),
            "data": .object(data),
        ]
        if !app.isEmpty { object["app"] = .string(app) }
        if sound != Self.usualSound { object["sound"] = sound.map { .string($0) } ?? .null }
        if let image { object["image"] = .string(image) }
        if let actions { object["actions"] = .string(actions) }
        if let replaceKey { object["replaceKey"] = .string(replaceKey) }
        if isMutable { object["isMutable"] = .bool(true) }
        if wakesApp { object["wakesApp"] = .bool(true) }
        if let summary { object["summary"] = ["title": summary.title.json, "body": summary.body.json] }
        if let digest { object["digest"] = ["title": digest.title.json, "body": digest.body.json] }
        if let groupText { object["groupText"] = groupText.json }
        return .object(object)
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
            title: title, body: body, group: object["group"]?.string, urgency: urgency, badge: badge, data: data,
            app: object["app"]?.string ?? "", sound: object["sound"].map(\.string) ?? Self.usualSound,
            image: object["image"]?.string, actions: object["actions"]?.string,
            replaceKey: object["replaceKey"]?.string, isMutable: object["isMutable"]?.bool ?? false,
            wakesApp: object["wakesApp"]?.bool ?? false, summary: object["summary"].flatMap(Summary.init(json:)),
            digest: object["digest"].flatMap(Summary.init(json:)),
            groupText: object["groupText"].flatMap(CountedText.init(json:)))
    }

    private static let usualSound: String? = "default"
}

extension PushContent.Summary {
    fileprivate init?(json: JSONValue) {
        guard let title = json.at(["title"]).flatMap(CountedText.init(json:)),
            let body = json.at(["body"]).flatMap(CountedText.init(json:))
        else { return nil }
        self.init(title: title, body: body)
    }
}
