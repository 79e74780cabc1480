import Foundation
import Glibc
import Synchronization

/// Progress: one line that is rewritten on a terminal, else a line for each change.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let last = Mutex("")

    init(isShown: Bool) { self.isShown = isShown }

    /// For commands that also run unattended, where each line would be mailed to somebody.
    static func onTerminal() -> ProgressLine { ProgressLine(isShown: isatty(STDERR_FILENO) == 1) }

    /// - Parameter part: the completed part, from 0 to 1.
    func show(_ deed: String, part: Double) { show("\(deed) \(Int(part * 100)) %") }

    func show(_ line: String) {
        guard isShown else { return }
        last.withLock { last in
            guard line != last else { return }
            last = line
            // Back to the line's start; the rest of the earlier text is erased behind the new one (ECMA-48 EL).
            if isTerminal { Self.write("\r\(line.prefix(Self.columns))\u{1B}[K") } else { Self.write(line + "\n") }
        }
    }

    /// Clears the line, because results follow on lines of their own.
    func end() {
        last.withLock { last in
            if isShown, isTerminal, !last.isEmpty { Self.write("\r\u{1B}[K") }
            last = ""
        }
    }

    /// The terminal's width without its last column: text that wraps into the next line would stay there.
    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return .max }
        return Int(size.ws_col) - 1
    }

    private static func write(_ text: String) {
        // If nobody reads any more, the run goes on.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
