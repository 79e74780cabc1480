import Inbox

/// All mistakes, file by file; never empty.
package struct FileMistakes: Error, Sendable, Hashable, CustomStringConvertible {
    package let mistakes: [FileMistake]

    /// One line for each mistake.
    package var description: String { mistakes.map(\.description.escapingControlCharacters).joined(separator: "\n") }
}
