import Inbox

/// A mistake in one setting, with all that an operator needs to fix it.
package struct SettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// `file:line`, a variable's name or a flag.
    package let place: String
    /// The setting, as a dotted path; empty for a file as a whole.
    package let key: String
    package let reason: String

    package var description: String { "\(place): \(key.isEmpty ? "" : key + ": ")\(reason)" }
}

/// All mistakes that were found at once.
package struct InvalidSettings: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [SettingsProblem]

    package var description: String { problems.map(\.description.escapingControlCharacters).joined(separator: "\n") }
}
