import JSON

/// Reads one notification type.
struct TypeReader {
    private static let keys = ["category", "text", "actorName", "preview", "batch", "deepLink", "fields", "push"]

    private let name: String
    private let reader: MappingReader
    private let defaults: CatalogReader.Defaults
    private let scope: PlaceholderScope
    private var issues: CatalogIssues { reader.issues }

    init?(
        _ entry: SourceNode.Entry, declared: [PlaceholderScope.DeclaredData], defaults: CatalogReader.Defaults,
        issues: CatalogIssues
    ) {
        guard let reader = MappingReader(entry.value, known: Self.keys, issues: issues) else { return nil }
        name = entry.key
        self.reader = reader
        self.defaults = defaults
        let base = PlaceholderScope(declared: declared)
        scope = BatchReader.scope(of: reader["batch"], within: base, hasPreview: reader["preview"] != nil)
    }

    func type() -> NotificationType? {
        let text = reader.required("text", expected: "the notification's text")
            .flatMap { reader.template($0, in: scope) }
        let preview = preview()
        let batch = reader["batch"].flatMap { BatchReader($0, scope: scope, issues: issues)?.rule() }
        let layout = layout(batch)
        let push = reader["push"].flatMap {
            PushReader($0, type: name, defaults: defaults.push, scope: scope, issues: issues)
        }
        let pushTemplate = push?.template()
        guard let text else { return nil }
        return NotificationType(
            name: name, push: push?.policy() ?? PushPolicy(when: .never, urgency: defaults.push.policy.urgency),
            text: text, actorName: reader.choice("actorName") ?? defaults.actorName, preview: preview, batch: batch,
            layout: layout, pushTemplate: pushTemplate)
    }

    private func preview() -> PreviewRule? {
        guard let preview = reader.mapping("preview", known: ["path", "max"]) else { return nil }
        var source = scope
        // A preview of the preview would have no beginning.
        source.hasPreview = false
        let path = preview.required("path", expected: "the path of a text, like comment.text")
            .flatMap { preview.placeholder($0, isText: true, in: source) }
        let maximum = preview.required("max", expected: "the greatest number of characters")
            .flatMap { preview.wholeNumber($0, in: PreviewRule.smallestMaximum...10_000) }
        guard let path, let maximum else { return nil }
        return PreviewRule(source: path, maximum: maximum)
    }

    // MARK: Layout

    private func layout(_ batch: BatchRule?) -> BodyLayout {
        var shared = defaults.shared
        if let samples = batch?.samples, !shared.contains(where: { $0.name == samples.member }) {
            shared.append(.init(name: samples.member, source: .samples))
        }
        return BodyLayout(
            actor: defaults.actor, deepLink: deepLink(), fields: fields(shared: shared), shared: shared,
            category: reader.text("category"))
    }

    private func deepLink() -> [MemberRule]? {
        guard let link = reader.mapping("deepLink", known: nil) else { return nil }
        _ = link.required("type", expected: "the kind of place to open")
        for entry in link.entries where entry.key == "actorId" {
            let message = "every deep link ends with the actor's id; expected no such key"
            issues.add(line: entry.line, column: entry.column, key: entry.value.path, message)
        }
        return link.memberRules(in: scope)
    }

    private func fields(shared: [BodyLayout.SharedMember]) -> [MemberRule] {
        guard let fields = reader.mapping("fields", known: nil) else { return [] }
        for entry in fields.entries {
            fields.checkName(entry)
            guard shared.contains(where: { $0.name == entry.key }) else { continue }
            let message = "the catalog's members have this name already; expected another name"
            issues.add(line: entry.line, column: entry.column, key: entry.value.path, message)
        }
        return fields.memberRules(in: scope)
    }
}
