import JSON

/// How a catalog describes one JSON value of a notification.
enum ValueRule: Sendable, Hashable {
    /// `room`, `null`, `1`
    case literal(JSONValue)
    /// `"{{room.id}}"`; always a string.
    case text(TextRule)
    /// `{value: isFollowingBack, default: false}`
    case value(ReadRule)
    /// `{label: "View", action: openRequests}`; always an object; a missing value in it is null.
    case object([MemberRule])

    /// Nil if a value is missing.
    func value(_ rendering: Rendering) -> JSONValue? {
        switch self {
        case .literal(let value): value
        case .text(let rule): rule.text(rendering).map { .string($0) }
        case .value(let rule): rule.value(rendering)
        case .object(let members):
            .object(JSONObject(members.map { .init(key: $0.name, value: $0.rule.value(rendering) ?? .null) }))
        }
    }

    /// The values that an event must hold.
    var requirements: [Requirement] {
        switch self {
        case .literal: []
        case .text(let rule): rule.requirements
        case .value(let rule): rule.requirements
        case .object(let members): members.flatMap(\.rule.requirements)
        }
    }

    /// The values that an event must hold where only texts, numbers and booleans are allowed.
    var textRequirements: [Requirement] {
        switch self {
        case .literal, .text, .object: requirements
        case .value(let rule): rule.textRequirements
        }
    }
}

/// One member of an object that a catalog describes.
struct MemberRule: Sendable, Hashable {
    let key: JSONName
    let rule: ValueRule

    init(name: String, rule: ValueRule) {
        key = JSONName(name)
        self.rule = rule
    }

    var name: String { key.text }
}
