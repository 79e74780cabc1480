/// One mapping of a catalog, read key by key; each mistake becomes an issue and counts as an absent key.
struct MappingReader {
    let node: SourceNode
    let entries: [SourceNode.Entry]
    let issues: CatalogIssues

    /// Nil, with an issue, for anything but a mapping.
    ///
    /// - Parameter known: the keys that may occur; nil if the app chooses the keys.
    init?(_ node: SourceNode, known: [String]?, issues: CatalogIssues) {
        guard case .mapping(let entries) = node.value else {
            issues.add(node, "expected a mapping, found \(node.kind)")
            return nil
        }
        self.node = node
        self.entries = entries
        self.issues = issues
        guard let known else { return }
        for entry in entries where !known.contains(entry.key) {
            let hint = Spelling.hint(for: entry.key, among: known)
            issues.add(line: entry.line, column: entry.column, key: entry.value.path, "unknown key\(hint)")
        }
    }

    /// The value; nil if the key is absent or null.
    subscript(key: String) -> SourceNode? {
        entries.first { $0.key == key }.flatMap { $0.value.isNull ? nil : $0.value }
    }

    func required(_ key: String, expected: String) -> SourceNode? {
        if let value = self[key] { return value }
        issues.add(node, "\"\(key)\" is missing; expected \(expected)")
        return nil
    }

    func mapping(_ key: String, known: [String]?) -> MappingReader? {
        self[key].flatMap { MappingReader($0, known: known, issues: issues) }
    }

    func list(_ key: String) -> [SourceNode]? {
        guard let node = self[key] else { return nil }
        guard case .list(let elements) = node.value else {
            issues.add(node, "expected a list, found \(node.kind)")
            return nil
        }
        return elements
    }

    // MARK: Scalars

    func text(_ key: String) -> String? { self[key].flatMap(text) }

    func requiredText(_ key: String, expected: String) -> String? {
        required(key, expected: expected).flatMap(text)
    }

    func text(_ node: SourceNode) -> String? {
        if let text = node.scalar, !text.isEmpty { return text }
        issues.add(node, "expected a text, found \(node.scalar == nil ? node.kind : "an empty one")")
        return nil
    }

    func choice<Choice>(_ key: String) -> Choice? where Choice: RawRepresentable<String> & CaseIterable {
        self[key].flatMap { choice($0) }
    }

    func choice<Choice>(_ node: SourceNode) -> Choice? where Choice: RawRepresentable<String> & CaseIterable {
        guard let text = text(node) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        issues.add(node, "expected \(Spelling.list(Choice.allCases.map(\.rawValue)))")
        return nil
    }

    func wholeNumber(_ node: SourceNode, in range: ClosedRange<Int>) -> Int? {
        if case .scalar(let text, isQuoted: false) = node.value, let number = Int(text), range.contains(number) {
            return number
        }
        issues.add(node, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// A time with its unit: `500ms`, `90s`, `5m`, `1h`, `1d`.
    func duration(_ node: SourceNode) -> Duration? {
        if let text = node.scalar, let duration = Duration(text: text), duration > .zero { return duration }
        issues.add(node, "expected a duration like 90s, 5m or 1h")
        return nil
    }

    /// A time that may be zero: `0s`, `4s`.
    func wait(_ node: SourceNode) -> Duration? {
        if let text = node.scalar, let duration = Duration(text: text) { return duration }
        issues.add(node, "expected a duration like 0s, 500ms or 10s")
        return nil
    }

    func truth(_ node: SourceNode) -> Bool? {
        switch node.scalar {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default:
            issues.add(node, "expected true or false")
            return nil
        }
    }

    /// `on` or `off`, or YAML's `true` or `false`.
    ///
    /// - Parameter other: other values that may stand there, for the message.
    func switched(_ node: SourceNode, or other: String? = nil) -> Bool? {
        switch node.scalar {
        case "on", "On", "ON", "true", "True", "TRUE": return true
        case "off", "Off", "OFF", "false", "False", "FALSE": return false
        default:
            issues.add(node, other.map { "expected on, off or \($0)" } ?? "expected on or off")
            return nil
        }
    }

    /// A text without placeholders.
    func plainText(_ node: SourceNode) -> String? {
        guard let text = text(node) else { return nil }
        guard !text.contains("{{") else {
            issues.add(node, "expected a text without {{placeholders}}")
            return nil
        }
        return text
    }

    // MARK: Templates

    func template(_ node: SourceNode, in scope: PlaceholderScope) -> Template? {
        guard let source = text(node) else { return nil }
        let template = compile(node) { () throws(TemplateError) in try Template(source, in: scope) }
        if let template { warnOfBraces(in: template, at: node) }
        return template
    }

    func warnOfBraces(in template: Template, at node: SourceNode) {
        guard let mistaken = template.mistakenText else { return }
        issues.warn(
            node, "\"\(mistaken)\" is printed as it stands; a placeholder has two braces on either side: {{path}}")
    }

    /// A path into the event, like `actor.id`.
    func placeholder(_ node: SourceNode, isText: Bool, in scope: PlaceholderScope) -> Placeholder? {
        text(node).flatMap { source in
            compile(node) { () throws(TemplateError) in
                try scope.placeholder(for: Template.path(source), isText: isText)
            }
        }
    }

    /// Adds an issue to a key of this mapping.
    func refuse(_ entry: SourceNode.Entry, _ message: String) {
        issues.add(line: entry.line, column: entry.column, key: entry.value.path, message)
    }

    func path(_ node: SourceNode) -> [String]? {
        text(node).flatMap { source in compile(node) { () throws(TemplateError) in try Template.path(source) } }
    }

    private func compile<Result>(_ node: SourceNode, _ body: () throws(TemplateError) -> Result) -> Result? {
        do {
            return try body()
        } catch {
            issues.add(node, error.message)
            return nil
        }
    }
}
