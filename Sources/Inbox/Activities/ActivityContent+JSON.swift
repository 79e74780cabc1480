package import JSON

/// The stored form.
extension ActivityContent {
    package var json: JSONObject {
        var json: JSONObject = [
            "event": .string(event.rawValue), "key": .string(key), "state": .object(state),
            "priority": .string(priority.rawValue),
        ]
        if let beginning {
            json["type"] = .string(beginning.type)
            json["attributes"] = .object(beginning.attributes)
        }
        if let alert {
            var value: JSONObject = ["title": .string(alert.title), "body": .string(alert.body)]
            value["sound"] = alert.sound.map(JSONValue.string)
            json["alert"] = .object(value)
        }
        json["relevance"] = relevance
        json["staleAfter"] = staleAfter.map { .int($0.milliseconds) }
        json["dismissAfter"] = dismissAfter.map { .int($0.milliseconds) }
        if !app.isEmpty { json["app"] = .string(app) }
        return json
    }

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: JSONObject) {
        guard let event = json["event"]?.string.flatMap(Event.init(rawValue:)), let key = json["key"]?.string,
            let state = json["state"]?.object,
            let priority = json["priority"]?.string.flatMap(Priority.init(rawValue:))
        else { return nil }
        self.init(event: event, key: key, state: state, priority: priority, app: json["app"]?.string ?? "")
        if let type = json["type"]?.string, let attributes = json["attributes"]?.object {
            beginning = Beginning(type: type, attributes: attributes)
        }
        if let value = json["alert"]?.object, let title = value["title"]?.string, let body = value["body"]?.string {
            alert = Alert(title: title, body: body, sound: value["sound"]?.string)
        }
        relevance = json["relevance"]
        staleAfter = json["staleAfter"]?.int.map { .milliseconds($0) }
        dismissAfter = json["dismissAfter"]?.int.map { .milliseconds($0) }
    }
}
