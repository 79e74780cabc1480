import Foundation
import Glibc
import Inbox

/// The program's output.
enum Terminal {
    /// A line for whoever reads the result.
    static func print(_ line: String) { _ = write(line, to: .standardOutput) }

    /// A text of several lines: its words must be such that none of them could begin one.
    static func print(page: String) { _ = write(page, to: .standardOutput, keeping: ["\n", "\t"]) }

    /// A line about what went wrong, apart from results.
    static func complain(_ line: String) { _ = log(line) }

    /// As ``print(page:)``, about what went wrong.
    static func complain(page: String) { _ = write(page, to: .standardError, keeping: ["\n", "\t"]) }

    /// A line of the log, which may be lost.
    /// - Returns: whether it could be written.
    static func log(_ line: String) -> Bool { write(line, to: .standardError) }

    /// For a command that serves others: it goes on where whoever reads its lines has gone away.
    static func outlivesReaders() { signal(SIGPIPE, SIG_IGN) }

    /// - Returns: whether it could be written.
    private static func write(_ line: String, to handle: FileHandle, keeping kept: [Unicode.Scalar] = ["\t"]) -> Bool {
        // Whoever's words they are, they do not drive the terminal, and begin no line of their own; JSON means the
        // same.
        let line = line.escapingControlCharacters(except: kept)
        // A reader that has gone away, such as `head`, ends other commands by a signal before this could matter.
        return (try? handle.write(contentsOf: Data((line + "\n").utf8))) != nil
    }
}
