import Foundation
import Inbox

/// The program's output.
enum Terminal {
    /// A line for whoever reads the result.
    static func print(_ line: String) { write(line, to: .standardOutput) }

    /// A line about what went wrong, apart from results.
    static func complain(_ line: String) { write(line, to: .standardError) }

    private static func write(_ line: String, to handle: FileHandle) {
        // Whoever's words they are, they do not drive the terminal; JSON means the same.
        let line = line.escapingControlCharacters(except: ["\n", "\t"])
        // A reader that has gone away, such as `head`, ends the program by a signal before this could matter.
        try? handle.write(contentsOf: Data((line + "\n").utf8))
    }
}
