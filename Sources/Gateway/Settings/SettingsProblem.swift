import Inbox

/// A mistake in one setting, with all that an operator needs to fix it.
package struct SettingsProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let place: SettingPlace
    /// The setting, as a dotted path; empty for a file as a whole.
    package let key: String
    package let reason: String

    package var description: String { "\(place): \(key.isEmpty ? "" : key + ": ")\(reason)" }
}

extension [SettingsProblem] {
    /// Source by source, and in each from its first line to its last.
    func sorted(bySources sources: [String]) -> [SettingsProblem] {
        func key(_ found: (offset: Int, element: SettingsProblem)) -> (Int, Int, Int) {
            let place = found.element.place
            return (sources.firstIndex(of: place.source) ?? sources.count, place.line ?? 0, found.offset)
        }
        return enumerated().sorted { key($0) < key($1) }.map(\.element)
    }
}

/// All mistakes that were found at once.
package struct InvalidSettings: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [SettingsProblem]

    package var description: String { problems.map(\.description.escapingControlCharacters).joined(separator: "\n") }
}
