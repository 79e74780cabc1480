import JSON

/// A value of the event in other words: `priorityName: {path: issue.priority, of: {high: "High", low: "Low"}}`.
struct WordRule: Sendable, Hashable {
    /// The name of the placeholder that prints the word.
    let name: String
    let source: Placeholder
    let words: [String: String]
    /// The word for all other values; nil to print the value itself.
    let other: String?
    /// Whether an event may lack the value.
    let isOptional: Bool

    func text(_ rendering: Rendering) -> String? {
        rendering.value(of: source)?.printed.map { words[$0] ?? other ?? $0 }
    }

    func check(_ rendering: Rendering, for type: String) throws(EventProblem) {
        if isOptional, rendering.value(of: source) == nil { return }
        try Requirement(placeholder: source, form: .text).check(rendering, for: type)
    }
}
