/// A table in GitHub's Markdown.
struct MarkdownTable {
    let header: [String]
    let rows: [[String]]

    var text: String {
        let rule = header.map { _ in "---" }
        return ([header, rule] + rows).map { "| " + $0.map(Self.escaped).joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// A bar would end the cell, even within code.
    private static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
            .split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
