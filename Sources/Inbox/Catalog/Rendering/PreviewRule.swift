import JSON

/// Cuts a text to fit a line: `preview: {path: comment.text, max: 100}`, or one of several under a name of its own.
struct PreviewRule: Sendable, Hashable {
    /// The ellipsis of the apps' own samples.
    static let usualEllipsis = "..."

    /// The placeholder that prints it.
    let placeholder: Placeholder
    let source: Placeholder
    /// In characters as readers count them (grapheme clusters), with the ellipsis.
    let maximum: Int
    /// Appended to a text that was cut.
    let ellipsis: String
    /// Whether an event may lack the text.
    let isOptional: Bool

    /// Nil if the event lacks the text.
    func text(_ rendering: Rendering) -> String? { rendering.value(of: source)?.string.map(preview) }

    func check(_ rendering: Rendering, for type: String) throws(EventProblem) {
        guard source.isInEvent else { return }
        guard let value = rendering.value(of: source) else {
            if isOptional { return }
            throw .missingField(rendering.place(of: source), expected: "a text, which \(type) shows")
        }
        guard value.string != nil else {
            throw .wrongType(rendering.place(of: source), expected: "a string", found: value.kind)
        }
    }

    /// The text on one line: whole if it fits, else cut behind the last word that fits.
    func preview(of text: String) -> String {
        if fitsAsItIs(text) { return text }
        return TextCut(maximum: maximum, ellipsis: ellipsis).cut(
            firstCharacters(of: text, maximum + 1 + TextCut.lookahead))
    }

    /// Whether the text can stay as it is, told by a quick look: finding the ends of characters is most of the cost of
    /// a short event.
    private func fitsAsItIs(_ text: String) -> Bool {
        guard text.utf8.count <= maximum else { return false }
        var text = text
        return text.withUTF8 { utf8 in
            var last = UInt8(ascii: " ")
            for byte in utf8 {
                // Each byte of printable ASCII is a character. A blank must stand alone between two others.
                guard (0x20...0x7E).contains(byte), byte != 0x20 || last != 0x20 else { return false }
                last = byte
            }
            return last != 0x20
        }
    }

    /// At most `count` characters; a run of white space counts as one blank. Reads no further than needed.
    private func firstCharacters(of text: String, _ count: Int) -> String {
        var first = ""
        var (taken, isAfterBlank) = (0, false)
        for character in text {
            guard taken < count else { break }
            guard !character.isWhitespace else {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, taken > 0 {
                first.append(" ")
                taken += 1
            }
            isAfterBlank = false
            first.append(character)
            taken += 1
        }
        return first
    }
}
