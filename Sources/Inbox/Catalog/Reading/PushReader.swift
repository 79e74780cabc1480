import JSON

/// Reads what a type's pushes say and when they are sent.
struct PushReader {
    private static let keys = [
        "when", "title", "body", "actorName", "group", "urgency", "data", "perHour",
    ]

    private let reader: MappingReader
    private let type: String
    private let defaults: CatalogReader.Defaults
    private let scope: PlaceholderScope

    init?(
        _ node: SourceNode, type: String, defaults: CatalogReader.Defaults, scope: PlaceholderScope,
        issues: CatalogIssues
    ) {
        guard let reader = MappingReader(node, known: Self.keys, issues: issues) else { return nil }
        self.reader = reader
        self.type = type
        self.defaults = defaults
        self.scope = scope
    }

    func policy() -> PushPolicy {
        PushPolicy(
            when: reader.choice("when") ?? defaults.push.when,
            urgency: reader.choice("urgency") ?? defaults.push.urgency)
    }

    /// Nil for a type that never pushes and has no texts in case an event asks for a push.
    func template() -> PushTemplate? {
        if let node = reader["perHour"] { reader.issues.add(node, "expected null: pushes are not limited by the hour") }
        let isSilent = policy().when == .never && reader["title"] == nil && reader["body"] == nil
        if isSilent { return nil }
        let title = reader.required("title", expected: "the push's title")
            .flatMap { reader.template($0, in: scope) }
        let body = reader.required("body", expected: "the push's text").flatMap { reader.template($0, in: scope) }
        let group = reader["group"].flatMap { reader.template($0, in: scope) }
        let data = data()
        guard let title, let body else { return nil }
        return PushTemplate(
            title: title, body: body, group: group, data: data,
            actorName: reader.choice("actorName") ?? defaults.pushActorName, badge: defaults.badge)
    }

    /// Apps choose by `type` what a tap opens, so it is always there.
    private func data() -> [MemberRule] {
        let rules = reader.mapping("data", known: nil)?.memberRules(in: scope) ?? []
        if rules.contains(where: { $0.name == "type" }) { return rules }
        return [MemberRule(name: "type", rule: .literal(.string(type)))] + rules
    }
}
