package import JSON

extension Question {
    /// The member of a notification that shows a question and its answer.
    package static let member: StaticString = "question"

    /// The question of an event, in the form in which publishers send it.
    package var json: JSONObject {
        var json: JSONObject = [
            "actions": .array(actions.map { ["id": .string($0.id), "label": .string($0.label)] })
        ]
        json["answerBy"] = answerBy.map { .string($0.iso8601) }
        json["default"] = fallback.map(JSONValue.string)
        return json
    }

    /// Reads ``json``; nil for anything else.
    package init?(stored json: JSONObject) {
        let actions = json["actions"]?.array?.compactMap { action -> Action? in
            guard let action = action.object, let id = action["id"]?.string, let label = action["label"]?.string
            else { return nil }
            return Action(id: id, label: label)
        }
        guard let actions, !actions.isEmpty else { return nil }
        self.init(
            actions: actions, answerBy: json["answerBy"]?.string.flatMap { Timestamp(iso8601: $0) },
            fallback: json["default"]?.string)
    }
}

extension Answer {
    package var json: JSONObject {
        ["action": action.map(JSONValue.string) ?? .null, "at": .string(at.iso8601), "by": .string(way.rawValue)]
    }

    /// Reads ``json``; nil for anything else.
    package init?(stored json: JSONObject) {
        guard let way = json["by"]?.string.flatMap(Way.init(rawValue:)),
            let at = json["at"]?.string.flatMap({ Timestamp(iso8601: $0) })
        else { return nil }
        self.init(action: json["action"]?.string, at: at, way: way)
    }
}

extension Question {
    /// Appends the question to a notification's members: those of ``json``, and `answer`, which is null until there is
    /// one.
    func append(to body: inout [UInt8]) {
        var members = json
        members["answer"] = .null
        var json = JSONWriter()
        json.member(Self.member, .object(members))
        body.append(UInt8(ascii: ","))
        body += json.bytes
    }
}
