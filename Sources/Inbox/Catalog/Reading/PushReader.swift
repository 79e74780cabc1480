import JSON

/// Reads what a type's pushes say and when they are sent.
struct PushReader {
    private static let keys =
        PushDefaults.keys + [
            "title", "body", "group", "data", "perHour", "image", "actions", "replaceKey", "mutableContent",
            "contentAvailable", "summary",
        ]

    private let reader: MappingReader
    private let type: String
    private let defaults: PushDefaults
    private let scope: PlaceholderScope

    init?(_ node: SourceNode, type: String, defaults: PushDefaults, scope: PlaceholderScope, issues: CatalogIssues) {
        guard let reader = MappingReader(node, known: Self.keys, issues: issues) else { return nil }
        self.reader = reader
        self.type = type
        self.defaults = defaults.overridden(by: reader)
        self.scope = scope
    }

    func policy() -> PushPolicy {
        var policy = defaults.policy
        policy.perHour = reader["perHour"].flatMap { reader.wholeNumber($0, in: 1...1_000) }
        return policy
    }

    /// Nil for a type that never pushes and has no texts in case an event asks for a push.
    func template() -> PushTemplate? {
        let isSilent = defaults.policy.when == .never && reader["title"] == nil && reader["body"] == nil
        if isSilent { return nil }
        let title = required("title", expected: "the push's title", of: reader, in: scope)
        let body = required("body", expected: "the push's text", of: reader, in: scope)
        let (group, data, summary) = (template("group"), data(), summary())
        guard let title, let body else { return nil }
        return PushTemplate(
            title: title, body: body, group: group, data: data, style: defaults.style,
            image: reader["image"].flatMap { reader.rule($0, in: scope) }, actions: actions(),
            replaceKey: template("replaceKey"), isMutable: truth("mutableContent"),
            wakesApp: truth("contentAvailable"), summary: summary)
    }

    private func template(_ key: String) -> Template? { reader[key].flatMap { reader.template($0, in: scope) } }

    private func required(
        _ key: String, expected: String, of reader: MappingReader, in scope: PlaceholderScope
    ) -> Template? {
        reader.required(key, expected: expected).flatMap { reader.template($0, in: scope) }
    }

    private func truth(_ key: String) -> Bool { reader[key].flatMap(reader.truth) ?? false }

    /// The app has its buttons under this name, so it cannot depend on an event.
    private func actions() -> String? { reader["actions"].flatMap(reader.plainText) }

    private func summary() -> PushTemplate.Summary? {
        guard let summary = reader.mapping("summary", known: ["title", "body"]) else { return nil }
        var scope = scope
        scope.isSummary = true
        let title = required("title", expected: "the title of a push for several", of: summary, in: scope)
        let body = required("body", expected: "the text of a push for several", of: summary, in: scope)
        guard let title, let body else { return nil }
        return PushTemplate.Summary(title: title, body: body)
    }

    /// Such a member would not arrive: `aps` is APNs' own (Generating a remote notification), `belfry` ours, and the rest
    /// FCM's (REST resource projects.messages, `data`).
    private static func isReserved(_ name: String) -> Bool {
        ["aps", "belfry", "from", "message_type"].contains(name) || name.hasPrefix("google") || name.hasPrefix("gcm")
    }

    /// Apps choose by `type` what a tap opens, so it is always there.
    private func data() -> [MemberRule] {
        let data = reader.mapping("data", known: nil)
        for entry in data?.entries ?? [] where Self.isReserved(entry.key) {
            let message = "push services keep this name for themselves; expected another name"
            reader.issues.add(line: entry.line, column: entry.column, key: entry.value.path, message)
        }
        let rules = data?.memberRules(in: scope) ?? []
        if rules.contains(where: { $0.name == "type" }) { return rules }
        return [MemberRule(name: "type", rule: .literal(.string(type)))] + rules
    }
}
