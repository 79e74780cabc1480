import JSON

/// A moment of the event in words: `date: {path: round.startsAt, format: yMMMd}`.
struct TimeRule: Sendable, Hashable {
    /// The kinds of blanks in a printed time.
    enum Blanks: String, CaseIterable {
        /// The blanks that the language uses.
        case local
        case plain
    }

    /// The name of the placeholder that prints the time.
    let name: String
    let source: Placeholder
    let pattern: DatePattern
    /// Whether all blanks are ordinary ones: CLDR has narrow and no-break blanks, as before "PM".
    let hasPlainBlanks: Bool
    /// Whether an event may lack the time.
    let isOptional: Bool

    /// - Parameter zone: a name that ``ZoneNames`` knows.
    func text(_ rendering: Rendering, zone: String) -> String? {
        let time = rendering.value(of: source)?.string.flatMap(Timestamp.init(iso8601:))
        guard let text = time.flatMap({ pattern.text($0, zone: zone) }) else { return nil }
        return hasPlainBlanks ? String(text.map { $0.isWhitespace ? " " : $0 }) : text
    }

    func check(_ rendering: Rendering, for type: String) throws(EventProblem) {
        guard source.isInEvent else { return }
        guard let value = rendering.value(of: source) else {
            if isOptional { return }
            throw .missingField(rendering.place(of: source), expected: "a date and time, which \(type) shows")
        }
        guard let text = value.string else {
            throw .wrongType(rendering.place(of: source), expected: "a string", found: value.kind)
        }
        guard Timestamp(iso8601: text) != nil else {
            throw .invalidValue(
                rendering.place(of: source), expected: "a date and time like 2025-07-04T15:02:44.161Z")
        }
    }
}
