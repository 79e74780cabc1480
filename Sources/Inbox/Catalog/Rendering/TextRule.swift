import JSON

/// A text as a catalog has it: one template, or several of which the first one counts whose values are all there.
struct TextRule: Sendable, Hashable {
    /// Never empty. An event must have the values of the last one.
    let alternatives: [Template]

    init(_ alternatives: [Template]) { self.alternatives = alternatives }

    /// The text; nil if a value is missing.
    func text(_ rendering: Rendering) -> String? {
        for template in alternatives {
            if let text = template.text(rendering) { return text }
        }
        return nil
    }

    /// The text for people to read: as ``text(_:)``, also where it is one value alone.
    func sentence(_ rendering: Rendering) -> String? { text(rendering)?.balancingDirections }

    /// The pieces of the text around the number that stays open; nil if a value is missing.
    func pieces(_ rendering: Rendering) -> [String]? {
        for template in alternatives {
            if let pieces = template.pieces(rendering) { return pieces }
        }
        return nil
    }

    func shows(_ placeholder: Placeholder) -> Bool { alternatives.contains { $0.placeholders.contains(placeholder) } }

    /// What the last one needs.
    var requirements: [Requirement] { alternatives.last?.requirements ?? [] }
}
