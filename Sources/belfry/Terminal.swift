import Foundation
import Inbox

/// The program's output.
enum Terminal {
    /// A line for whoever reads the result.
    static func print(_ line: String) { write(line, to: .standardOutput) }

    /// A text of several lines: its words must be such that none of them could begin one.
    static func print(page: String) { write(page, to: .standardOutput, keeping: ["\n", "\t"]) }

    /// A line about what went wrong, apart from results.
    static func complain(_ line: String) { write(line, to: .standardError) }

    /// As ``print(page:)``, about what went wrong.
    static func complain(page: String) { write(page, to: .standardError, keeping: ["\n", "\t"]) }

    private static func write(_ line: String, to handle: FileHandle, keeping kept: [Unicode.Scalar] = ["\t"]) {
        // Whoever's words they are, they do not drive the terminal, and begin no line of their own; JSON means the same.
        let line = line.escapingControlCharacters(except: kept)
        // A reader that has gone away, such as `head`, ends the program by a signal before this could matter.
        try? handle.write(contentsOf: Data((line + "\n").utf8))
    }
}
