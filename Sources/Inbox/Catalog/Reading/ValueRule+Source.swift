import JSON

extension MappingReader {
    /// Reads every entry as a member of a JSON object.
    func memberRules(in scope: PlaceholderScope) -> [MemberRule] {
        entries.compactMap { entry in
            rule(entry.value, in: scope).map { MemberRule(name: entry.key, rule: $0) }
        }
    }

    /// A literal, a text with placeholders, or `{value: path, default: …, case: …}`.
    func rule(_ node: SourceNode, in scope: PlaceholderScope) -> ValueRule? {
        switch node.value {
        case .scalar(let text, _) where text.contains("{{"):
            return template(node, in: scope).map { .text($0) }
        case .scalar, .list:
            return literal(node).map { .literal($0) }
        case .mapping:
            guard let value = MappingReader(node, known: ["value", "default", "case"], issues: issues),
                let path = value.required("value", expected: "the path of a value in the event"),
                let placeholder = value.placeholder(path, isText: false, in: scope)
            else { return nil }
            // A default of null is one: it says that the value may be missing.
            let fallback = value.entries.first { $0.key == "default" }.flatMap { literal($0.value) }
            return .value(placeholder, default: fallback, letters: value.choice("case"))
        }
    }

    /// The value as it stands, in which nothing is filled in.
    private func literal(_ node: SourceNode) -> JSONValue? {
        guard node.hasBraces else { return node.literal }
        issues.add(node, "expected no {{placeholder}} here: only a member's own text is filled in")
        return nil
    }
}

extension SourceNode {
    fileprivate var hasBraces: Bool {
        switch value {
        case .scalar(let text, _): text.contains("{{")
        case .list(let elements): elements.contains(where: \.hasBraces)
        case .mapping(let entries): entries.contains(where: \.value.hasBraces)
        }
    }

    /// The value as JSON, by the rules of YAML's core schema.
    fileprivate var literal: JSONValue? {
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
        // `Double` reads "inf", "nan" and hexadecimal too, which are words here.
        let isNumeric = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        if isNumeric, let number = Double(text), number.isFinite { return .double(number) }
        return .string(text)
    }
}
