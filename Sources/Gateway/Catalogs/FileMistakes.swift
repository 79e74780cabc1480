import Inbox

/// All that is wrong, file by file; never empty.
package struct FileMistakes: Error, Sendable, Hashable, CustomStringConvertible {
    package let mistakes: [FileMistake]

    /// A line for each.
    package var description: String { mistakes.map(\.description.escapingControlCharacters).joined(separator: "\n") }
}
