import JSON

/// How a catalog describes one JSON value of a notification.
enum ValueRule: Sendable, Hashable {
    enum LetterCase: String, Sendable, Hashable, CaseIterable {
        case upper, lower
    }

    /// `room`, `null`, `1`
    case literal(JSONValue)
    /// `"{{room.id}}"`; always a string.
    case text(Template)
    /// `{value: isFollowingBack, default: false, case: upper}`: the value as the event has it. Without a default it
    /// must be there.
    case value(Placeholder, default: JSONValue?, letters: LetterCase?)

    /// Nil if a value is missing.
    func value(_ rendering: Rendering) -> JSONValue? {
        switch self {
        case .literal(let value): return value
        case .text(let template): return template.text(rendering).map { .string($0) }
        case .value(let placeholder, let fallback, let letters):
            guard let value = rendering.value(of: placeholder) else { return fallback }
            switch (letters, value) {
            case (.upper, .string(let text)): return .string(text.uppercased())
            case (.lower, .string(let text)): return .string(text.lowercased())
            case (nil, _), (.upper, _), (.lower, _): return value
            }
        }
    }

    /// What an event must hold for it.
    var requirements: [Requirement] {
        switch self {
        case .literal: []
        case .text(let template): template.requirements
        case .value(let placeholder, default: .none, _): [Requirement(placeholder: placeholder, isText: false)]
        case .value: []
        }
    }
}

/// One member of an object that a catalog describes.
struct MemberRule: Sendable, Hashable {
    let name: String
    let rule: ValueRule
}

/// A value without which an event cannot be rendered.
struct Requirement: Sendable, Hashable {
    let placeholder: Placeholder
    /// Whether it is printed, so that only a string, a number or a boolean will do.
    let isText: Bool
}

extension Template {
    var requirements: [Requirement] { placeholders.map { Requirement(placeholder: $0, isText: true) } }
}
