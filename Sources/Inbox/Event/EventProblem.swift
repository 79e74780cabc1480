/// Why an event was refused. The publisher has the mistake.
package struct EventProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Stable, for programs: `missing_field`, `wrong_type`, `invalid_value`, `unknown_field`, `unknown_event_type` or
    /// `ambiguous_event_type`.
    package let code: String
    /// The place in the event, as a JSON pointer (RFC 6901): `/data/room/name`. Empty for the whole event.
    package let pointer: String
    /// The expectation. Never the value that was found, which may be a person's words.
    package let message: String

    package var description: String { "\(code) at \"\(pointer)\": \(message)" }

    private init(_ code: String, _ place: JSONPointer, _ message: String) {
        self.init(code, text: place.text, message)
    }

    /// - Parameter text: the pointer.
    init(_ code: String, text: String, _ message: String) {
        self.code = code
        self.pointer = text
        self.message = message
    }
}

extension EventProblem {
    static func missingField(_ place: JSONPointer, expected: String) -> Self {
        Self("missing_field", place, "expected \(expected)")
    }

    /// - Parameter found: the kind of the value that was found: "a number".
    static func wrongType(_ place: JSONPointer, expected: String, found: String) -> Self {
        Self("wrong_type", place, "expected \(expected), found \(found)")
    }

    static func invalidValue(_ place: JSONPointer, expected: String) -> Self {
        Self("invalid_value", place, "expected \(expected)")
    }

    static func invalidUser(at place: JSONPointer) -> Self {
        .invalidValue(place, expected: UserID.expectation)
    }

    static func unknownField(_ key: String, in place: JSONPointer, known: [String]) -> Self {
        Self("unknown_field", place.appending(key), "unknown member\(Spelling.hint(for: key, among: known))")
    }

    static func unknownEventType(_ type: String, known: [String]) -> Self {
        guard !known.isEmpty else {
            return Self(
                "unknown_event_type", JSONPointer().appending("type"),
                "the server has no catalog, so it knows no event type; start it with --catalog FILE")
        }
        let nearest = Spelling.nearest(to: type, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        return Self("unknown_event_type", JSONPointer().appending("type"), "no catalog has this event type\(nearest)")
    }

    static func severalApps(_ type: String, _ apps: [String]) -> Self {
        Self(
            "ambiguous_event_type", JSONPointer().appending("type"),
            "several apps have this event type; expected ?app=, one of \(Spelling.list(apps.map { "\"\($0)\"" }))")
    }

    static func tooManyRecipients(_ place: JSONPointer) -> Self {
        .invalidValue(
            place, expected: "at most \(Event.maximumRecipients) named recipients an event; use a topic for more")
    }
}
