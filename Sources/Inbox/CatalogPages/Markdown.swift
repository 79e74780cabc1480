import JSON

/// A catalog's texts as parts of a Markdown page: all of them are read as text, never as HTML, a link or a picture.
enum Markdown {
    /// Text on one line.
    static func text(_ text: String) -> String {
        var escaped = ""
        for scalar in oneLine(text).unicodeScalars {
            switch scalar {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "[", "]", "`", "\\": escaped += "\\\(scalar)"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A name as code, between more backticks than the name has in a row (CommonMark §6.1).
    static func code(_ name: String) -> String {
        let name = oneLine(name)
        guard name.contains("`") else { return "`\(name)`" }
        let longest = name.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence) \(name) \(fence)"
    }

    /// A value as code on one line.
    static func code(_ value: JSONValue) -> String { code(PrettyJSON(value, width: .max).text) }

    /// A catalog's own Markdown, which has no HTML: see ``hasNoHTML(_:)``.
    static func page(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            String($0).escapingControlCharacters
        }
        .joined(separator: "\n").trimmingEnd
    }

    /// Whether the Markdown is safe to show: it has no tags, and no links that run code.
    static func hasNoHTML(_ text: String) -> Bool {
        let runs = text.lowercased()
        if ["javascript:", "vbscript:", "data:"].contains(where: {
            runs.contains("](\($0)") || runs.contains("]: \($0)")
        }) {
            return false
        }
        return zip(text.unicodeScalars, text.unicodeScalars.dropFirst()).allSatisfy { first, second in
            first != "<" || !(second.properties.isAlphabetic || ["/", "!", "?"].contains(second))
        }
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ").escapingControlCharacters
    }
}

extension String {
    fileprivate var trimmingEnd: String { String(reversed().drop { $0.isNewline || $0 == " " }.reversed()) }
}
