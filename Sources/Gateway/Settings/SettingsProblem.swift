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
    /// Source by source as they were read, and in each from its first line to its last.
    var inOrderOfPlaces: [SettingsProblem] {
        var ranks: [String: Int] = [:]
        for problem in self where ranks[problem.place.source] == nil { ranks[problem.place.source] = ranks.count }
        return enumerated().sorted { left, right in
            func key(_ found: (offset: Int, element: SettingsProblem)) -> (Int, Int, Int) {
                (ranks[found.element.place.source] ?? 0, found.element.place.line ?? 0, found.offset)
            }
            return key(left) < key(right)
        }.map(\.element)
    }
}

/// All mistakes that were found at once.
package struct InvalidSettings: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [SettingsProblem]

    package var description: String { problems.map(\.description.escapingControlCharacters).joined(separator: "\n") }
}
