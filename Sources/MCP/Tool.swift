import JSON

/// A tool that an agent may call, as it is told to the client (MCP specification, "Tools").
enum Tool: String, CaseIterable {
    case notify
    case ask
    case wait
    case explain

    var json: JSONValue {
        [
            "name": .string(rawValue), "description": .string(description),
            "inputSchema": [
                "type": "object", "properties": .object(properties), "required": .array(required.map(JSONValue.string)),
                "additionalProperties": false,
            ],
            "annotations": ["readOnlyHint": .bool(self == .wait || self == .explain), "openWorldHint": true],
        ]
    }

    private var description: String {
        switch self {
        case .notify: "Tells people something: in their inbox, live on each screen, and by a push if nobody looks."
        case .ask:
            """
            Asks people to choose one of up to four answers, and waits for a while. Each person's first answer stands. \
            If somebody has not answered yet, go on with wait.
            """
        case .wait: "Waits for answers to an earlier question."
        case .explain: "Tells what became of an event, or of a person's latest notifications, and why."
        }
    }

    private var required: [String] {
        switch self {
        case .notify: ["to", "message"]
        case .ask: ["to", "message", "answers"]
        case .wait: ["event"]
        case .explain: []
        }
    }

    private var properties: JSONObject {
        switch self {
        case .notify: ["to": Self.to, "message": Self.message, "key": Self.key]
        case .ask:
            [
                "to": Self.to, "message": Self.message,
                "answers": [
                    "type": "array", "minItems": 1, "maxItems": .int(Int64(ToolCall.maximumAnswers)),
                    "items": ["type": "string"],
                    "description": "The words on the buttons, such as [\"Deploy\", \"Stop\"].",
                ],
                "default": [
                    "type": "string", "description": "The answer that counts if nobody answered in time.",
                ],
                "within": [
                    "type": "integer", "minimum": 1, "maximum": .int(ToolCall.longestTime),
                    "description": "The time to answer, in seconds. Without it, an answer counts at any time.",
                ],
                "wait": Self.seconds, "until": Self.until, "key": Self.key,
            ]
        case .wait:
            [
                "event": ["type": "string", "description": "The event's name, from the result of ask."],
                "wait": Self.seconds, "until": Self.until,
            ]
        case .explain:
            [
                "event": ["type": "string", "description": "The event's name."],
                "person": ["type": "string", "description": "The person's user id."],
            ]
        }
    }

    private static let to: JSONValue = [
        "type": "array", "minItems": 1, "items": ["type": "string"], "description": "The people's user ids.",
    ]
    private static let message: JSONValue = ["type": "string", "description": "The text, in a sentence or two."]
    private static let key: JSONValue = [
        "type": "string",
        "description": "A name of your choice. The same call under the same key within a day is done only once.",
    ]
    private static let seconds: JSONValue = [
        "type": "integer", "minimum": 0, "maximum": .int(ToolCall.longestWait), "default": .int(ToolCall.usualWait),
        "description": "How many seconds to wait for answers.",
    ]
    private static let until: JSONValue = [
        "type": "string", "enum": ["all", "first"], "default": "all",
        "description": "Whether to wait for everybody, or for one answer.",
    ]
}
