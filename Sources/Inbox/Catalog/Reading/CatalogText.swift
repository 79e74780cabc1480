/// A catalog's text. Finds the places and the cures of mistakes that keep it from being read as YAML.
struct CatalogText {
    let lines: [Substring]

    init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    }

    // MARK: Places

    /// The path of keys to the content of a line, told by indentation: `types.X.text`.
    ///
    /// - Parameter line: counted from 1.
    func path(atLine line: Int) -> String {
        guard lines.indices.contains(line - 1) else { return "" }
        var path: [String] = []
        var limit = Int.max
        for (place, text) in lines[..<line].enumerated().reversed() {
            let content = text.drop { $0 == " " || $0 == "\t" }
            // A tab's meant width is unknown: mostly the indentation of the line before.
            let isTabbed = text.prefix { $0 != content.first }.contains("\t")
            let indent = isTabbed && place > 0 ? Self.indent(of: lines[place - 1]) : text.count - content.count
            guard indent < limit, let key = Self.entry(in: content)?.key else { continue }
            path.insert(key, at: 0)
            limit = indent
            if indent == 0 { break }
        }
        return path.joined(separator: ".")
    }

    /// The lines where a key stands in a mapping that has one key on each line, counted from 1.
    ///
    /// - Parameters:
    ///   - line: the line of any key of the mapping.
    ///   - column: where its keys begin, counted from 1.
    func lines(of key: String, inMappingAtLine line: Int, column: Int) -> [Int] {
        guard lines.indices.contains(line - 1) else { return [] }
        let indents = lines.map { text -> Int? in
            let content = text.drop { $0 == " " }
            return content.isEmpty || content.first == "#" ? nil : text.count - content.count
        }
        func belongs(_ place: Int) -> Bool { indents[place].map { $0 >= column - 1 } ?? true }
        let first = (0..<line).last { !belongs($0) }.map { $0 + 1 } ?? 0
        return (first..<lines.count).prefix(while: belongs).filter {
            indents[$0] == column - 1 && Self.entry(in: lines[$0].dropFirst(column - 1))?.key == key
        }.map { $0 + 1 }
    }

    private static func indent(of text: Substring) -> Int { text.prefix { $0 == " " }.count }

    /// `key: value` of a line without its indentation.
    private static func entry(in content: Substring) -> (key: String, value: Substring)? {
        guard content.first != "#" else { return nil }
        var content = content
        while content.hasPrefix("- ") { content = content.dropFirst(2).drop { $0 == " " } }
        let colon: Substring.Index
        if let space = content.firstRange(of: ": ") {
            colon = space.lowerBound
        } else if content.last == ":" {
            colon = content.index(before: content.endIndex)
        } else {
            return nil
        }
        let key = content[..<colon].filter { $0 != "\"" && $0 != "'" }
        guard !key.isEmpty, !"{[&*!|>%@`".contains(content.first ?? " ") else { return nil }
        return (String(key), content[content.index(after: colon)...].drop { $0 == " " })
    }

    // MARK: Cures

    static let quotedBraces = "a text that begins with \"{{\" must be quoted: \"{{path}} …\""

    /// The cure of a line that is no YAML; nil unless it is one of the likely mistakes.
    ///
    /// - Parameter line: counted from 1.
    func cure(ofLine line: Int) -> String? {
        guard lines.indices.contains(line - 1) else { return nil }
        let text = lines[line - 1]
        let content = text.drop { $0 == " " }
        if content.first == "\t" { return "a tab; expected spaces instead of tabs" }
        if content.firstMatch(of: /^- +\{\{/) != nil { return Self.quotedBraces }
        guard let value = Self.entry(in: content)?.value, let first = value.first else {
            return text.contains("\t") ? "a tab; expected spaces instead of tabs" : nil
        }
        switch first {
        case "\"", "'":
            return Self.isCut(value, by: first)
                ? "the text ends before its line does; expected \\\" for a quotation mark within \"…\", and '' within '…'"
                : nil
        case "@", "`", "%", "*", "&", "!", "|", ">":
            return "a text that begins with \"\(first)\" must be quoted: \"\(first)…\""
        // Within brackets each text is checked by itself.
        case "{" where value.firstMatch(of: /^\{\{|[\[,:] *\{\{/) != nil,
            "[" where value.firstMatch(of: /[\[,:] *\{\{/) != nil:
            return Self.quotedBraces
        case "{", "[":
            let end: Character = first == "{" ? "}" : "]"
            let isText = value.contains(end) && value.last != end && value.last != ","
            return !isText ? nil : "a text that begins with \"\(first)\" must be quoted: \"\(first)…\""
        default: break
        }
        if value.contains(": ") || value.hasSuffix(":") {
            return "a text with \": \" in it must be quoted: \"…: …\""
        }
        return text.contains("\t") ? "a tab; expected spaces instead of tabs" : nil
    }

    /// Whether there is more behind a quoted text than a comment.
    private static func isCut(_ value: Substring, by quote: Character) -> Bool {
        var rest = value.dropFirst()
        while let character = rest.popFirst() {
            if character == "\\", quote == "\"" { _ = rest.popFirst() }
            guard character == quote else { continue }
            if quote == "'", rest.first == "'" { _ = rest.popFirst() } else { break }
        }
        let behind = rest.drop { $0 == " " }
        return !behind.isEmpty && behind.first != "#"
    }
}
