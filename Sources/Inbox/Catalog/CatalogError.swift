/// All mistakes in a catalog. The operator made them.
///
/// Prints a line for each issue: `rooms.yaml:12: types.ROOM_LIKE.push.when: expected fallback, always or never`.
package struct CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A place in a catalog's file; line and column count from 1.
    package struct Place: Sendable, Hashable {
        package let file: String
        package let line: Int
        package let column: Int
    }

    package struct Issue: Sendable, Hashable, CustomStringConvertible {
        package let file: String
        package let line: Int
        package let column: Int
        /// The path of keys: `types.ROOM_LIKE.push.when`; empty for the file as a whole.
        package let key: String
        /// The mistake and the expected form.
        package let message: String

        init(place: Place, key: String, message: String) {
            (file, line, column) = (place.file, place.line, place.column)
            self.key = key
            self.message = message
        }

        package var description: String { "\(file):\(line): \(key.isEmpty ? "" : key + ": ")\(message)" }
    }

    /// In the order of the file; never empty.
    package let issues: [Issue]

    package var description: String { issues.map(\.description.escapingControlCharacters).joined(separator: "\n") }
}
