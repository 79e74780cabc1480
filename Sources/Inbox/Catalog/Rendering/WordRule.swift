import JSON

/// A value of the event in other words: `priorityName: {path: issue.priority, of: {high: "High", low: "Low"}}`.
struct WordRule: Sendable, Hashable {
    /// Of the placeholder that prints it.
    let name: String
    let source: Placeholder
    let words: [String: String]
    /// For values that have no word; nil to print the value itself.
    let other: String?
    /// Whether an event may lack it.
    let isOptional: Bool

    func text(_ rendering: Rendering) -> String? {
        rendering.value(of: source)?.printed.map { words[$0] ?? other ?? $0 }
    }

    func check(_ rendering: Rendering, for type: String) throws(EventProblem) {
        if isOptional, rendering.value(of: source) == nil { return }
        try Requirement(placeholder: source, form: .text).check(rendering, for: type)
    }
}
