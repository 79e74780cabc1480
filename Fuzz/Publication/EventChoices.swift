import JSON

/// Events that the bytes of an input make up: mostly such as the catalog takes.
enum EventChoices {
    static let catalog = """
        catalog: made
        actor: [id]
        events:
          said: {data: [text, room.id], routes: [{to: people, type: SAID}, {to: others, type: RANG}]}
          added: {routes: [{to: people, type: ADDED}]}
          asked: {routes: [{to: people, type: ASKED}]}
        types:
          SAID: {text: "{{text}} in {{room.id}}", subjects: {room: "{{room.id}}"}, push: {title: Said, body: "{{text}}"}}
          RANG: {text: "{{text}}", push: {when: always, title: Rang, body: "{{text}}"}}
          ADDED:
            text: "{{actor}} added {{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: a thing, other: "{{count}} things"}}
            push: {title: Added, body: "{{things}}"}
          ASKED: {text: "{{text}}", question: {actions: {yes: "Yes", no: "No"}}}
        """

    /// A topic with members, and a batch that is open.
    static let beginning = [
        request("PUT", "/v1/topics/room:7/members", #"{"add":["ada","bob"]}"#),
        request(
            "POST", "/v1/events",
            #"{"type":"added","actor":{"id":"renee"},"to":{"people":["ada"]},"data":{"things":[1]}}"#),
    ]

    private static func request(_ method: String, _ path: String, _ body: String) -> [UInt8] {
        Array("\(method) \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    private static let members = [
        "type", "key", "actor", "to", "data", "occurredAt", "notBefore", "expiresAt", "push", "question", "people",
        "user",
        "topic", "all", "when", "urgency", "text", "room", "id", "things", "actions", "answerBy", "default", "label",
    ]
    private static let texts = [
        "ada", "bob", "room:7", "said", "yes", "fallback", "urgent", "2027-01-15T08:00:00Z",
        "2027-01-15T09:00:00.5+01:00",
        "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "", "\u{0}", "\u{202E}", "~1/", "a\nb",
        String(repeating: "x", count: 201),
    ]

    static func event(_ choices: inout Choices) -> JSONObject {
        var event: JSONObject = ["type": .string(choices.text(["said", "added", "asked", "unknown"]))]
        event["key"] = .string("\(PublicationForms.source) \(PublicationForms.id)")
        if choices.isOne(in: 2) { event["actor"] = value("actor", &choices) }
        event["to"] = value("to", &choices)
        event["data"] = value("data", &choices)
        for name in ["occurredAt", "notBefore", "expiresAt", "push", "question"] where choices.isOne(in: 4) {
            event[name] = value(name, &choices)
        }
        if choices.isOne(in: 12) {
            event[choices.text(members)] = choices.json(members: members, texts: texts)
            event["key"] = .string("\(PublicationForms.source) \(PublicationForms.id)")
        }
        return event
    }

    private static func value(_ name: String, _ choices: inout Choices) -> JSONValue {
        if choices.isOne(in: 12) { return choices.json(members: members, texts: texts) }
        switch name {
        case "actor": return ["id": .string(choices.text(["renee", "ada"])), "username": .string(choices.text(texts))]
        case "to":
            var lists: JSONObject = [:]
            for _ in 0...choices.number(below: 2) {
                lists[choices.text(["people", "others", "strangers"])] = people(&choices)
            }
            return .object(lists)
        case "data":
            let room: JSONValue = choices.isOne(in: 6) ? "7" : ["id": .string(choices.text(["7", ""]))]
            var data: JSONObject = ["text": .string(choices.text(["hi", "", "\u{1F469}"])), "room": room]
            data["things"] = .array((0..<choices.number(below: 4)).map { .int(Int64($0)) })
            if choices.isOne(in: 6) { data[choices.text(members)] = choices.json(members: members, texts: texts) }
            return .object(data)
        case "push":
            return [
                "when": .string(choices.text(["always", "never"])),
                "urgency": .string(choices.text(["low", "urgent"])),
            ]
        case "question":
            var question: JSONObject = ["actions": .array([["id": "yes", "label": "Yes"], ["id": "no"]])]
            if choices.isOne(in: 2) { question["answerBy"] = .string(choices.text(texts)) }
            if choices.isOne(in: 2) { question["default"] = .string(choices.text(["yes", "no"])) }
            return .object(question)
        default: return .string(choices.text(["2027-01-15T08:00:00Z"] + texts))
        }
    }

    private static func people(_ choices: inout Choices) -> JSONValue {
        switch choices.number(below: 6) {
        case 0, 1:
            return .array((0..<choices.number(below: 4)).map { _ in .string(choices.text(["ada", "bob", "cleo"])) })
        case 2: return ["topic": .string(choices.text(["room:7", "none"]))]
        case 3: return ["all": .bool(!choices.isOne(in: 3))]
        case 4:
            return .array([
                [
                    "user": .string(choices.text(["ada"])),
                    "data": choices.json(members: members, texts: texts, depth: 1),
                ], "bob",
            ])
        default: return choices.json(members: members, texts: texts, depth: 2)
        }
    }
}
