import JSON

/// A notification's value that is read from the event: `{value: isFollowingBack, default: false, case: upper}`.
struct ReadRule: Sendable, Hashable {
    enum LetterCase: String, Sendable, Hashable, CaseIterable {
        case upper, lower
    }

    let source: Placeholder
    /// Stands in for a value that the event lacks; without it the value must be there.
    var fallback: JSONValue?
    var letters: LetterCase?
    /// The path within each element, if the value is a list.
    var each: [String]?
    /// The text between a list's elements, if they become one text.
    var separator: String?

    /// Nil if the value is missing.
    func value(_ rendering: Rendering) -> JSONValue? {
        guard let value = rendering.value(of: source) else { return fallback }
        return isList ? list(value) : cased(value)
    }

    private var isList: Bool { each != nil || separator != nil }

    private func list(_ value: JSONValue) -> JSONValue? {
        guard let elements = value.array else { return fallback }
        let values = elements.compactMap { element in each.map(element.element(at:)) ?? element }.map(cased)
        return separator.map { .string(values.compactMap(\.printed?.balancingDirections).joined(separator: $0)) }
            ?? .array(values)
    }

    private func cased(_ value: JSONValue) -> JSONValue {
        switch (letters, value) {
        case (.upper, .string(let text)): .string(text.uppercased())
        case (.lower, .string(let text)): .string(text.lowercased())
        case (nil, _), (.upper, _), (.lower, _): value
        }
    }

    var requirements: [Requirement] {
        fallback == nil ? [Requirement(placeholder: source, form: isList ? .list : .any)] : []
    }

    /// The values that the event needs so that this value can be printed.
    var textRequirements: [Requirement] {
        requirements.map { Requirement(placeholder: $0.placeholder, form: isList ? .list : .text) }
    }
}
