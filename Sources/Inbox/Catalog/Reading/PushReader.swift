import JSON

/// Reads a type's push: its texts and its times.
struct PushReader {
    private static let keys =
        PushDefaults.keys + [
            "title", "body", "group", "data", "perHour", "image", "actions", "replaceKey", "mutableContent",
            "contentAvailable", "summary", "timing",
        ]

    private let reader: MappingReader
    private let type: String
    private let defaults: PushDefaults
    private let scope: PlaceholderScope
    private let group: TextRule?

    /// - Parameter group: the type's own group, for a push that names none.
    init?(
        _ node: SourceNode, type: String, group: TextRule?, defaults: PushDefaults, scope: PlaceholderScope,
        issues: CatalogIssues
    ) {
        guard let reader = MappingReader(node, known: Self.keys, issues: issues) else { return nil }
        self.reader = reader
        self.type = type
        self.defaults = defaults.overridden(by: reader)
        self.scope = scope
        self.group = group
    }

    func policy() -> PushPolicy {
        var policy = defaults.policy
        policy.perHour = reader["perHour"].flatMap { reader.wholeNumber($0, in: 1...1_000) }
        policy.timing = timing()
        if let grace = reader["grace"], policy.when != .fallback || policy.urgency == .urgent {
            let cause = policy.when == .fallback ? "urgency: urgent" : "when: \(policy.when.rawValue)"
            reader.issues.warn(grace, "never used: with \"\(cause)\" no push waits for an acknowledgement")
        }
        return policy
    }

    private func timing() -> PushPolicy.Timing {
        guard let node = reader["timing"], let timing: PushPolicy.Timing = reader.choice(node) else { return .leading }
        if timing != .leading, scope.list == nil {
            reader.issues.add(node, "only a type with a batch gathers events; expected leading")
        }
        return timing
    }

    /// Nil for a type that never pushes and has no texts for events that ask for a push.
    func template() -> PushTemplate? {
        let isSilent = defaults.policy.when == .never && reader["title"] == nil && reader["body"] == nil
        if isSilent { return nil }
        let title = reader.required("title", expected: "the push's title").flatMap(text)
        let body = reader.required("body", expected: "the push's text").flatMap(text)
        let (group, data, summary) = (text("group") ?? group, data(), summary())
        guard let title, let body else { return nil }
        return PushTemplate(
            title: title, body: body, group: group, data: data, style: defaults.style,
            image: reader["image"].flatMap { reader.rule($0, in: scope) }, actions: actions(),
            replaceKey: text("replaceKey"), isMutable: truth("mutableContent"), wakesApp: truth("contentAvailable"),
            summary: summary, digest: defaults.digest)
    }

    private func text(_ node: SourceNode) -> TextRule? { reader.textRule(node, in: scope) }

    private func text(_ key: String) -> TextRule? { reader[key].flatMap(text) }

    private func truth(_ key: String) -> Bool { reader[key].flatMap(reader.truth) ?? false }

    /// The app registers its buttons under this name, so the name cannot depend on an event.
    private func actions() -> String? { reader["actions"].flatMap(reader.plainText) }

    private func summary() -> PushTemplate.Summary? {
        var scope = scope
        scope.isSummary = true
        scope.countsPeople = true
        return reader.mapping("summary", known: ["title", "body"])?.summary(in: scope)
    }

    /// Push services drop or refuse such members: `aps` is APNs' own (Generating a remote notification), `belfry` is
    /// ours, and the others are FCM's (REST resource projects.messages, `data`).
    private static func isReserved(_ name: String) -> Bool {
        ["aps", "belfry", "from", "message_type"].contains(name) || name.hasPrefix("google") || name.hasPrefix("gcm")
    }

    /// Always has `type`, because apps choose by it what a tap opens.
    private func data() -> [MemberRule] {
        let data = reader.mapping("data", known: nil)
        for entry in data?.entries ?? [] where Self.isReserved(entry.key) {
            reader.refuse(entry, "push services reserve this name; expected another name")
        }
        let rules = data?.memberRules(in: scope) ?? []
        for rule in rules {
            guard case .object = rule.rule, let entry = data?.entries.first(where: { $0.key == rule.name }) else {
                continue
            }
            reader.refuse(entry, "a push's data holds no objects; expected a text, a number or a boolean")
        }
        if rules.contains(where: { $0.name == "type" }) { return rules }
        return [MemberRule(name: "type", rule: .literal(.string(type)))] + rules
    }
}
