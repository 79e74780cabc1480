import JSON

/// Cuts somebody's text to fit a line: `preview: {path: comment.text, max: 100}`.
struct PreviewRule: Sendable, Hashable {
    /// As the apps' own samples have it.
    private static let ellipsis = "..."
    /// Room for the ellipsis and at least one character before it.
    static let smallestMaximum = ellipsis.count + 1

    let source: Placeholder
    /// In characters as readers count them (grapheme clusters), with the ellipsis.
    let maximum: Int
    /// Whether an event may lack the text.
    let isOptional: Bool

    /// Nil if the event lacks the text.
    func text(_ rendering: Rendering) -> String? { rendering.value(of: source)?.string.map(preview) }

    func check(_ rendering: Rendering, for type: String) throws(EventProblem) {
        guard let pointer = rendering.pointer(to: source) else { return }
        guard let value = rendering.value(of: source) else {
            if isOptional { return }
            throw .missingField(pointer, expected: "a text, which \(type) shows")
        }
        guard value.string != nil else { throw .wrongType(pointer, expected: "a string", found: value.kind) }
    }

    /// The text on one line, whole if it fits, else cut behind its last word that fits.
    func preview(of text: String) -> String {
        TextLimit(maximum: maximum, ellipsis: Self.ellipsis).cut(firstCharacters(of: text, maximum + 1))
    }

    /// At most `count` characters, a run of white space counting as one blank; reads no further than it must.
    private func firstCharacters(of text: String, _ count: Int) -> [Character] {
        var characters: [Character] = []
        var isAfterBlank = false
        for character in text where characters.count < count {
            guard !character.isWhitespace else {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, !characters.isEmpty { characters.append(" ") }
            isAfterBlank = false
            if characters.count < count { characters.append(character) }
        }
        return characters
    }
}
