import Inbox

/// A problem that makes an operator's file unusable, and how to fix it.
package struct FileMistake: Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// Counted from 1; nil for the file as a whole.
    package let line: Int?
    /// In a catalog, the path of keys: `types.ROOM_LIKE.push.when`; empty for the file as a whole.
    package let key: String
    /// The problem, and what was expected.
    package let message: String

    /// For a file that cannot be used at all.
    init(file: String, message: String) {
        (self.file, self.message) = (file, message)
        (line, key) = (nil, "")
    }

    init(_ issue: CatalogError.Issue) {
        (file, line, key, message) = (issue.file, issue.line, issue.key, issue.message)
    }

    /// `rooms.yaml:12: types.ROOM_LIKE.push.when: expected …`
    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return "\(place): \(key.isEmpty ? "" : key + ": ")\(message)"
    }
}
