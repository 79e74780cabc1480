import Foundation
import Glibc
import Synchronization

/// How far something has come: one line that is written anew on a terminal, else lines that follow each other.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let last = Mutex("")

    init(isShown: Bool) { self.isShown = isShown }

    /// For what also runs unattended, whose every line would be mailed to somebody.
    static func onTerminal() -> ProgressLine { ProgressLine(isShown: isatty(STDERR_FILENO) == 1) }

    /// - Parameter part: of the whole, from 0 to 1.
    func show(_ deed: String, part: Double) { show("\(deed) \(Int(part * 100)) %") }

    func show(_ line: String) {
        guard isShown else { return }
        last.withLock { last in
            guard line != last else { return }
            last = line
            // Back to the line's begin, and behind the text whatever is left of the one before is erased (ECMA-48 EL).
            if isTerminal { Self.write("\r\(line.prefix(Self.columns))\u{1B}[K") } else { Self.write(line + "\n") }
        }
    }

    /// Results follow on lines of their own.
    func end() {
        last.withLock { last in
            if isShown, isTerminal, !last.isEmpty { Self.write("\r\u{1B}[K") }
            last = ""
        }
    }

    /// The terminal's, but for the last one: what goes on in the next line would stay there.
    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return .max }
        return Int(size.ws_col) - 1
    }

    private static func write(_ text: String) {
        // Nobody looks any more: the run goes on.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
