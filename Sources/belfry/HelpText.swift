import ArgumentParser

/// What `belfry help` tells beside options: a text, and at its end commands that can be pasted into a shell.
///
/// The argument parser breaks a help text at spaces, wherever the terminal's line ends. An example that is broken so is
/// two commands, so its spaces are kept as another character until the text is printed.
enum HelpText {
    /// Of the private use area: nobody types it. As wide as a space to the argument parser, which counts characters.
    private static let spaceThatHolds: Character = "\u{E000}"

    /// The discussion of a command.
    /// - Parameters:
    ///   - title: what stands before the examples, without its colon. It begins with "Example".
    ///   - examples: lines for a shell, as they are. Nothing may follow them: the parser would break that at the wrong
    ///     place.
    static func with(_ text: String = "", title: String? = nil, examples: String...) -> String {
        let title = title ?? (examples.count == 1 ? "Example" : "Examples")
        let lines = examples.flatMap { $0.split(separator: "\n") }.map { "  \($0)" }
        let held = lines.joined(separator: "\n").map { $0 == " " ? spaceThatHolds : $0 }
        return (text.isEmpty ? "" : text + "\n\n") + "\(title):\n" + String(held)
    }

    /// A message of the argument parser's as it is to be printed.
    static func printed(_ message: String) -> String { String(message.map { $0 == spaceThatHolds ? " " : $0 }) }
}
