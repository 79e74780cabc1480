import JSON

extension MappingReader {
    private static let valueKeys = ["value", "default", "case", "each", "join"]

    /// Reads every entry as a member of a JSON object.
    func memberRules(in scope: PlaceholderScope) -> [MemberRule] {
        entries.compactMap { entry in
            rule(entry.value, in: scope).map { MemberRule(name: entry.key, rule: $0) }
        }
    }

    /// A literal, a text with placeholders, `{value: path, …}`, or an object of these.
    func rule(_ node: SourceNode, in scope: PlaceholderScope) -> ValueRule? {
        switch node.value {
        case .scalar, .list:
            if node.isTemplate { return textRule(node, in: scope).map { .text($0) } }
            if let text = node.literal?.string { warnOfBraces(in: Template(plain: text), at: node) }
            return literal(node).map { .literal($0) }
        case .mapping(let entries):
            if Self.isRead(entries) { return readRule(node, in: scope).map { .value($0) } }
            return MappingReader(node, known: nil, issues: issues).map { .object($0.memberRules(in: scope)) }
        }
    }

    /// Whether the mapping is `{value: …}`, or a misspelt form of it.
    private static func isRead(_ entries: [SourceNode.Entry]) -> Bool {
        if entries.contains(where: { $0.key == "value" }) { return true }
        let meant = entries.map { Spelling.nearest(to: $0.key, among: valueKeys) }
        return !meant.contains(nil) && (meant.contains("value") || entries.contains { $0.key == "default" })
    }

    private func readRule(_ node: SourceNode, in scope: PlaceholderScope) -> ReadRule? {
        guard let value = MappingReader(node, known: Self.valueKeys, issues: issues),
            let path = value.required("value", expected: "the path of a value in the event")
        else { return nil }
        let each = value["each"].flatMap(value.path)
        var scope = scope
        scope.usedElements = each.map { [$0] }
        guard let source = value.placeholder(path, isText: false, in: scope) else { return nil }
        return ReadRule(
            source: source,
            // A default of null still counts: it says that the value may be missing.
            fallback: value.entries.first { $0.key == "default" }.flatMap { literal($0.value) },
            letters: value.choice("case"), each: each, separator: value["join"].flatMap(value.plainText))
    }

    /// The value as written; placeholders are an issue here.
    func literal(_ node: SourceNode) -> JSONValue? {
        guard node.hasBraces else { return node.literal }
        issues.add(node, "expected no {{placeholder}} here: only a member's own text is filled in")
        return nil
    }

    /// An object as written.
    func literalObject(_ node: SourceNode) -> JSONObject? {
        guard case .mapping = node.value else {
            issues.add(node, "expected a mapping, found \(node.kind)")
            return nil
        }
        return literal(node)?.object
    }
}

extension SourceNode {
    /// Whether the value is a text with placeholders, or a list with such a text.
    var isTemplate: Bool {
        switch value {
        case .scalar(let text, _): text.contains("{{")
        case .list(let elements): elements.contains { if case .scalar = $0.value { $0.isTemplate } else { false } }
        case .mapping: false
        }
    }

    fileprivate var hasBraces: Bool {
        switch value {
        case .scalar(let text, _): text.contains("{{")
        case .list(let elements): elements.contains(where: \.hasBraces)
        case .mapping(let entries): entries.contains(where: \.value.hasBraces)
        }
    }

    /// The value as JSON, by the rules of YAML's core schema.
    var literal: JSONValue? {
        switch value {
        case .scalar(let text, isQuoted: true): .string(text)
        case .scalar(let text, isQuoted: false): isNull ? .null : Self.plain(text)
        case .list(let elements): .array(elements.compactMap(\.literal))
        case .mapping(let entries):
            .object(
                JSONObject(entries.compactMap { entry in entry.value.literal.map { .init(key: entry.key, value: $0) } })
            )
        }
    }

    private static func plain(_ text: String) -> JSONValue {
        switch text {
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        if let number = Int64(text) { return .int(number) }
        return number(text)?.value ?? .string(text)
    }

    /// Numbers stay as written, except for forms that YAML's core schema has and JSON lacks: "+1.5", ".5", "1." and
    /// leading zeros (YAML 1.2.2 §10.3.2).
    private static func number(_ text: String) -> JSONNumber? {
        // Nearly all texts are words, and a regular expression is compiled each time; `mistakenText` has the figures.
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else { return nil }
        guard let match = text.wholeMatch(of: /([-+]?)([0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?/) else { return nil }
        let (sign, fraction) = (match.1 == "-" ? "-" : "", match.3 ?? "")
        guard !match.2.isEmpty || fraction.count > 1 else { return nil }
        let digits = match.2.drop { $0 == "0" }
        return JSONNumber(
            sign + (digits.isEmpty ? "0" : digits) + (fraction == "." ? ".0" : fraction) + (match.4 ?? ""))
    }
}
