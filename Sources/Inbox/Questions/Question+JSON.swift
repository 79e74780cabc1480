package import JSON

extension Question {
    /// The member of a notification that shows a question and its answer.
    package static let member: StaticString = "question"

    /// The question of an event, in the form in which publishers send it.
    package var json: JSONObject {
        var json: JSONObject = [
            "actions": .array(actions.map(\.json))
        ]
        json["answerBy"] = answerBy.map { .string($0.iso8601) }
        json["default"] = fallback.map(JSONValue.string)
        return json
    }

    /// Reads ``json``; nil for anything else.
    package init?(stored json: JSONObject) {
        let actions = json["actions"].map(Action.all) ?? []
        guard !actions.isEmpty else { return nil }
        self.init(
            actions: actions, answerBy: json["answerBy"]?.string.flatMap { Timestamp(iso8601: $0) },
            fallback: json["default"]?.string)
    }
}

extension Question.Action {
    package var json: JSONValue {
        var json: JSONObject = ["id": .string(id)]
        json["label"] = label.map(JSONValue.string)
        return .object(json)
    }

    /// Reads an array of ``json``; leaves out what is none.
    package static func all(in array: JSONValue) -> [Self] {
        (array.array ?? []).compactMap { action in
            action.at(["id"])?.string.map { Self(id: $0, label: action.at(["label"])?.string) }
        }
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
