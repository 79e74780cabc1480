import JSON

/// A mistake in settings that a client sent.
package struct PreferenceProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Stable, for programs: `missing_field`, `wrong_type`, `invalid_value`, `unknown_field`,
    /// `unknown_notification_type`, `unknown_category`, `unknown_subject_kind`, `required_type` or `too_many_mutes`.
    package let code: String
    /// The place, as a JSON pointer (RFC 6901): `/quietHours/windows/0/from`. Empty for the whole.
    package let pointer: String
    /// The expectation. Of the values that were found, at most a subject's kind.
    package let message: String

    package var description: String { "\(code) at \"\(pointer)\": \(message)" }

    private init(_ code: String, _ place: JSONPointer, _ message: String) {
        self.code = code
        pointer = place.text
        self.message = message
    }
}

extension PreferenceProblem {
    static func missingField(_ key: String, in place: JSONPointer, expected: String) -> Self {
        Self("missing_field", place.appending(key), "expected \(expected)")
    }

    static func wrongType(_ place: JSONPointer, expected: String, found: JSONValue) -> Self {
        Self("wrong_type", place, "expected \(expected), found \(found.kind)")
    }

    static func invalidValue(_ place: JSONPointer, expected: String) -> Self {
        Self("invalid_value", place, "expected \(expected)")
    }

    static func unknownField(_ key: String, in place: JSONPointer, known: [String]) -> Self {
        Self("unknown_field", place.appending(key), "unknown member\(Spelling.hint(for: key, among: known))")
    }

    static func unknownType(_ name: String, in place: JSONPointer, known: [String]) -> Self {
        Self(
            "unknown_notification_type", place.appending(name),
            "no catalog has this type\(Spelling.hint(for: name, among: known))")
    }

    static func unknownCategory(_ name: String, in place: JSONPointer, known: [String]) -> Self {
        Self(
            "unknown_category", place.appending(name),
            "no catalog has this category\(Spelling.hint(for: name, among: known))")
    }

    static func unknownSubjectKind(_ kind: String, at place: JSONPointer, known: [String]) -> Self {
        let nearest = Spelling.nearest(to: kind, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        // Ten names show the form of a kind; the nearest kind is named separately.
        let listed = known.prefix(10).joined(separator: ", ")
        let others = known.count > 10 ? " and \(known.count - 10) more" : ""
        return Self(
            "unknown_subject_kind", place,
            "no catalog has subjects of the kind \"\(kind)\"\(nearest); known are \(listed)\(others)")
    }

    static func requiredType(_ name: String, in place: JSONPointer) -> Self {
        Self("required_type", place.appending(name), "the app requires this type: it cannot be switched off")
    }

    static let tooManyMutes = Self(
        "too_many_mutes", JSONPointer(), "expected at most \(UserSettings.maximumMutes) muted subjects")
}
