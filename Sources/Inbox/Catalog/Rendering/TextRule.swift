import JSON

/// A catalog's text: one template, or several, of which the first counts that has all its values.
struct TextRule: Sendable, Hashable {
    /// Never empty. An event must have the values of the last template.
    let alternatives: [Template]

    init(_ alternatives: [Template]) { self.alternatives = alternatives }

    /// The text; nil if a value is missing.
    func text(_ rendering: Rendering) -> String? {
        for template in alternatives {
            if let text = template.text(rendering) { return text }
        }
        return nil
    }

    /// The text for people to read: ``text(_:)`` without unpaired direction controls, also where it is a single value.
    func sentence(_ rendering: Rendering) -> String? { text(rendering)?.balancingDirections }

    /// The pieces of the text around the open number; nil if a value is missing.
    func pieces(_ rendering: Rendering) -> [String]? {
        for template in alternatives {
            if let pieces = template.pieces(rendering) { return pieces }
        }
        return nil
    }

    func shows(_ placeholder: Placeholder) -> Bool { alternatives.contains { $0.placeholders.contains(placeholder) } }

    /// The values that the last template needs.
    var requirements: [Requirement] { alternatives.last?.requirements ?? [] }
}
