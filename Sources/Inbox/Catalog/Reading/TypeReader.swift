import JSON

/// Reads one notification type, in one language.
struct TypeReader {
    private static let keys = [
        "category", "text", "actorName", "preview", "previews", "times", "words", "parts", "batch", "deepLink",
        "fields",
        "group", "groupText", "subjects", "preferences", "push", "question", "activity",
    ]

    let name: String
    let reader: MappingReader
    let defaults: CatalogReader.Defaults
    let scope: PlaceholderScope
    var issues: CatalogIssues { reader.issues }

    /// - Parameter used: notes the data that the type's texts use.
    init?(
        _ entry: SourceNode.Entry, declared: [PlaceholderScope.DeclaredData], defaults: CatalogReader.Defaults,
        used: UsedData, issues: CatalogIssues
    ) {
        guard let reader = MappingReader(entry.value, known: Self.keys, issues: issues) else { return nil }
        name = entry.key
        self.reader = reader
        self.defaults = defaults
        var scope = BatchReader.scope(
            of: reader["batch"],
            within: PlaceholderScope(declared: declared, locale: defaults.locale, used: used),
            hasPreview: reader["preview"] != nil)
        scope.addDerived(of: reader)
        self.scope = scope
    }

    /// The type's texts.
    func wording() -> Wording? {
        let text = reader.required("text", expected: "the notification's text").flatMap {
            reader.textRule($0, in: scope)
        }
        let derived = DerivedReader(reader: reader, scope: scope)
        let (times, words) = (derived.times(language: defaults.language), derived.words())
        let parts = derived.parts()
        let batch = reader["batch"].flatMap { BatchReader($0, scope: scope, issues: issues)?.rule() }
        let group = reader["group"].flatMap { reader.textRule($0, in: scope) }
        let layout = layout(batch, group: group)
        let groupText = groupText()
        let push = pushReader(group: group)?.template()
        let (question, activity) = (question(), activity())
        guard let text else { return nil }
        return Wording(
            text: text, times: times, words: words, parts: parts, batch: batch, layout: layout, groupText: groupText,
            push: push, question: question, activity: activity)
    }

    /// The parts that are the same in every language.
    func plan(zone: String, title: LocalText) -> NotificationType.Plan {
        var plan = NotificationType.Plan(
            push: pushReader(group: nil)?.policy() ?? PushPolicy(when: .never, urgency: defaults.push.policy.urgency),
            actorName: reader.choice("actorName") ?? defaults.actorName, zone: zone, title: title)
        plan.preferences = preferences()
        if plan.preferences.isPushOnly, plan.push.when == .never, reader["activity"] == nil,
            let node = reader.node.member("preferences")?.member("inApp")
        {
            issues.warn(
                node, "with \"never\" here and no push by itself nobody is notified; expected on or off, or a push")
        }
        plan.previews = DerivedReader(reader: reader, scope: scope).previews()
        plan.subjects = subjects()
        return plan
    }

    private func pushReader(group: TextRule?) -> PushReader? {
        reader["push"].flatMap {
            PushReader($0, type: name, group: group, defaults: defaults.push, scope: scope, issues: issues)
        }
    }

    private func groupText() -> CountedRule? {
        var scope = scope
        scope.isSummary = true
        guard let node = reader["groupText"] else { return nil }
        if reader["group"] == nil {
            issues.add(node, "the type has no \"group\"; expected what the notifications of one group have in common")
        }
        return reader.countedRule(node, in: scope)
    }

    private func preferences() -> ChannelPreferences {
        var preferences = ChannelPreferences()
        guard let reader = reader.mapping("preferences", known: ["title", "inApp", "push", "required"]) else {
            return preferences
        }
        warn(of: reader)
        let push = reader["push"].flatMap { reader.switched($0) }
        preferences.push = push ?? true
        preferences.isRequired = reader["required"].flatMap(reader.truth) ?? false
        guard let node = reader["inApp"] else { return preferences }
        guard node.scalar == "never" else {
            preferences.inApp = reader.switched(node, or: "never") ?? true
            preferences.pushesAlone = !preferences.inApp && push == true
            return preferences
        }
        (preferences.isPushOnly, preferences.inApp, preferences.pushesAlone) = (true, false, preferences.push)
        if self.reader["push"] == nil, self.reader["activity"] == nil {
            issues.add(node, "the type has no \"push\", so nobody would ever be notified; expected on or off")
        }
        return preferences
    }

    private func subjects() -> [(kind: String, id: TextRule)] {
        guard let subjects = reader.mapping("subjects", known: nil) else { return [] }
        return subjects.entries.compactMap { entry in
            if entry.key == "actor" {
                subjects.refuse(entry, "every event's actor can be muted already; expected another name")
            }
            if entry.key.contains(":") || entry.key.isEmpty {
                subjects.refuse(entry, "expected a name without \":\", like room")
            }
            return subjects.textRule(entry.value, in: scope).map { (entry.key, $0) }
        }
    }
}
