import Foundation
import Glibc
import Inbox

/// The program's output.
enum Terminal {
    /// Prints a line of the result.
    static func print(_ line: String) { _ = write(line, to: .standardOutput) }

    /// Prints a text of several lines. Foreign words in it must not contain line ends.
    static func print(page: String) { _ = write(page, to: .standardOutput, keeping: ["\n", "\t"]) }

    /// Prints a line about a failure, apart from results.
    static func complain(_ line: String) { _ = log(line) }

    /// Prints a text of several lines about a failure.
    static func complain(page: String) { _ = write(page, to: .standardError, keeping: ["\n", "\t"]) }

    /// Prints a line of the log, which may be lost.
    /// - Returns: whether it was written.
    static func log(_ line: String) -> Bool { write(line, to: .standardError) }

    /// For a command that serves others: it goes on after the reader of its lines has gone away.
    static func outlivesReaders() { signal(SIGPIPE, SIG_IGN) }

    /// - Returns: whether the line was written.
    private static func write(_ line: String, to handle: FileHandle, keeping kept: [Unicode.Scalar] = ["\t"]) -> Bool {
        // Foreign words must not control the terminal or begin a line of their own. Escapes do not change the meaning
        // of JSON.
        let line = line.escapingControlCharacters(except: kept)
        // If the reader has gone away, such as `head`, other commands have been ended by a signal already.
        return (try? handle.write(contentsOf: Data((line + "\n").utf8))) != nil
    }
}
