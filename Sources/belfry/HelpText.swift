import ArgumentParser

/// Texts of `belfry help` beside the options, with commands at the end that can be pasted into a shell.
///
/// The argument parser breaks a help text at spaces, at the end of the terminal's line. A broken example would be two
/// commands, so its spaces are replaced by another character until the text is printed.
enum HelpText {
    /// A character of the private use area, which nobody types. The argument parser counts it as one, like a space.
    private static let spaceThatHolds: Character = "\u{E000}"

    /// The discussion of a command.
    /// - Parameters:
    ///   - title: the heading of the examples, without its colon. It begins with "Example".
    ///   - examples: lines for a shell, unchanged. They must come last: the parser would break text behind them at the
    ///     wrong place.
    static func with(_ text: String = "", title: String? = nil, examples: String...) -> String {
        let title = title ?? (examples.count == 1 ? "Example" : "Examples")
        let lines = examples.flatMap { $0.split(separator: "\n") }.map { "  \($0)" }
        let held = lines.joined(separator: "\n").map { $0 == " " ? spaceThatHolds : $0 }
        return (text.isEmpty ? "" : text + "\n\n") + "\(title):\n" + String(held)
    }

    /// A message of the argument parser, ready to be printed.
    static func printed(_ message: String) -> String { String(message.map { $0 == spaceThatHolds ? " " : $0 }) }
}
