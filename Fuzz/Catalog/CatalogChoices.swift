import JSON

/// A catalog that the bytes of an input make up, as JSON, which is YAML as well: known keys in their places, with values
/// that are mostly of the right kind.
struct CatalogChoices {
    private static let keys: [String: [String]] = [
        "catalog": [
            "title", "about", "app", "locale", "zone", "actorName", "badge", "actor", "members", "categories", "push",
            "translations", "feeds",
        ],
        "event": ["data", "feeds", "sample"],
        "type": [
            "category", "actorName", "preview", "previews", "times", "words", "parts", "batch", "deepLink", "fields",
            "group", "groupText", "subjects", "preferences", "question", "push",
        ],
        "push": [
            "title", "body", "when", "urgency", "timing", "grace", "lifetime", "sound", "growthSound", "bodyMax",
            "group", "data", "perHour", "image", "actions", "replaceKey", "mutableContent", "contentAvailable",
            "summary", "digest",
        ],
        "batch": ["kind", "separators", "samples", "bump"],
        "question": ["asks", "answerBy", "default"],
        "preferences": ["title", "inApp", "push", "required"],
        "preview": ["ellipsis", "optional"],
        "feedRule": ["id", "author", "time", "tags", "zone", "length"],
        "translation": ["title", "categories", "push", "types"],
    ]
    private static let events = ["said", "liked", "asked"]
    private static let types = ["SAID", "LIKED", "ASKED"]
    private static let paths = [
        "room.id", "text", "elements", "actor.id", "actor", "room", "kind", "elements.kind", "a.b.c", "", ".", "room.",
    ]
    private static let templates = [
        "{{actor}} said {{text}}", "{{text}}", "a text", "{{preview}}", "{{elements}}", "{{room.name}}: {{text}}",
        "{{count}}", "{{", "{{}}", "{{ text }}", "{{part}}", "{{when}}", "{{word}}", "room:{{room.id}}", "}}",
        "\u{202E}x",
        "{{#text}}", "{{{text}}}", "{{n}}", "{{actor.id}}", "",
    ]
    private static let words = [
        "room", "en", "de", "pt-BR", "Europe/Berlin", "username", "unread", "5m", "0s", "999999999d", "fallback",
        "always", "never", "urgent", "leading", "trailing", "yMMMd", "local", "upper", "default", "people", "ar", "yes",
    ]

    var choices: Choices

    init(_ bytes: [UInt8]) { choices = Choices(bytes) }

    /// The data of an event.
    static func data(_ choices: inout Choices) -> JSONObject {
        let members = ["room", "id", "name", "text", "elements", "kind", "url", "a", "b", "c"]
        var data: JSONObject = ["text": .string(choices.text(["hello", "", "\u{1F469}\u{200D}\u{1F469}", "a\nb"]))]
        for name in ["room", "elements", "kind", "a"] where choices.isOne(in: 2) {
            data[name] = choices.json(members: members, texts: ["photo", "video", "789", "\u{200F}"])
        }
        return data
    }

    mutating func catalog() -> JSONValue {
        var catalog: JSONObject = ["catalog": "made"]
        catalog["events"] = .object(named(Self.events, "event"))
        catalog["types"] = .object(named(Self.types, "type"))
        add("catalog", to: &catalog)
        return .object(catalog)
    }

    /// One to three of these names, each with a mapping of this shape.
    private mutating func named(_ names: [String], _ shape: String) -> JSONObject {
        var object: JSONObject = [:]
        for name in names.prefix(1 + choices.number(below: names.count)) { object[name] = mapping(shape) }
        return object
    }

    private mutating func mapping(_ shape: String) -> JSONValue {
        var object: JSONObject = [:]
        switch shape {
        case "event":
            let routes = (0...choices.number(below: 2)).map { _ -> JSONValue in
                ["to": .string(choices.text(["people", "owner"])), "type": .string(choices.text(Self.types))]
            }
            object["routes"] = .array(routes)
        case "type": object["text"] = texts()
        case "batch":
            object = ["window": .string(choices.text(["5m", "1h"])), "by": .array([path()]), "count": "elements"]
            object["nouns"] = choices.isOne(in: 2) ? counted() : ["photo": counted(), "video": counted()]
        case "question": object["actions"] = ["yes": "Yes", "no": .string(template())]
        case "preview": object = ["path": path(), "max": .int(choices.pick([1, 20, 10_000, 0]))]
        case "feedRule": object["access"] = choices.pick(["public", ["claim": "room"], ["topic": "room:*"]])
        default: break
        }
        add(shape, to: &object)
        return .object(object)
    }

    private mutating func add(_ shape: String, to object: inout JSONObject) {
        guard let keys = Self.keys[shape] else { return }
        for _ in 0..<choices.number(below: 7) {
            let key = choices.text(keys)
            object[key] = choices.isOne(in: 12) ? choices.json(members: keys, texts: Self.words) : value(key, shape)
        }
    }

    private mutating func value(_ key: String, _ shape: String) -> JSONValue {
        switch (key, shape) {
        case ("push", _): return mapping("push")
        case ("batch", _): return mapping("batch")
        case ("question", _): return mapping("question")
        case ("preferences", _): return mapping("preferences")
        case ("preview", _): return mapping("preview")
        case ("previews", _): return ["part": mapping("preview"), "n": mapping("preview")]
        case ("translations", _): return .object(named(["de", "pt-BR", "ar"], "translation"))
        case ("types", _): return .object(named(Self.types, "type"))
        case ("categories", _): return ["room": ["title": .string(template())]]
        case ("feeds", "event"):
            return .array([
                ["feed": .string(choices.text(["posts", "room:{{room.id}}"])), "item": path(), "each": path()]
            ])
        case ("feeds", _): return .object(named(["posts", "room:*", "**"], "feedRule"))
        case ("sample", _): return ["actor": ["id": "a", "username": "b"], "data": .object(Self.data(&choices))]
        case ("members", _): return .object(JSONObject([.init(key: choices.text(["x", "id"]), value: "count")]))
        case ("summary", _), ("digest", _): return ["title": counted(), "body": counted()]
        case ("groupText", _): return counted()
        case ("times", _):
            return ["when": ["path": path(), "format": .string(choices.text(["yMMMd", "jm", "'", "q"]))]]
        case ("words", _): return ["word": ["path": path(), "of": ["photo": .string(template())], "other": "thing"]]
        case ("parts", _): return ["part": texts(), "n": texts()]
        case ("deepLink", _), ("fields", _), ("data", "push"):
            return .object(JSONObject([.init(key: choices.text(["type", "roomId", "id"]), value: anyValue())]))
        case ("subjects", _): return ["room": texts()]
        case ("samples", _): return ["thumbnails": .int(Int64(choices.number(below: 6)))]
        case ("actor", _), ("data", _), ("separators", _): return .array([path(), path()])
        case ("bodyMax", _), ("perHour", _), ("length", _): return .int(choices.pick([20, 0, 1, 4_000, -1, .max]))
        case ("id", _), ("author", _), ("time", _), ("tags", _), ("kind", _): return path()
        case ("title", _), ("body", _), ("group", _), ("replaceKey", _), ("image", _), ("about", _): return texts()
        case ("asks", _), ("bump", _), ("optional", _), ("required", _): return .bool(choices.isOne(in: 2))
        default: return .string(choices.text(Self.words))
        }
    }

    private mutating func path() -> JSONValue { .string(choices.text(Self.paths)) }
    private mutating func template() -> String { choices.text(Self.templates) }

    private mutating func texts() -> JSONValue {
        choices.isOne(in: 4) ? .array([.string(template()), .string(template())]) : .string(template())
    }

    private mutating func counted() -> JSONValue {
        choices.isOne(in: 2) ? texts() : ["one": texts(), "other": texts()]
    }

    private mutating func anyValue() -> JSONValue {
        switch choices.number(below: 4) {
        case 0: return .string(template())
        case 1: return ["value": path(), "default": "x", "case": "upper"]
        case 2: return ["value": path(), "each": path(), "join": ", "]
        default: return choices.json(members: ["value", "each", "x"], texts: Self.templates)
        }
    }
}
