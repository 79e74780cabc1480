import JSON

extension Catalog {
    /// Reads a catalog's YAML.
    ///
    /// - Parameter file: the name under which mistakes are reported.
    /// - Throws: ``CatalogError`` with everything that is wrong with the file, not just the first thing.
    package init(yaml: String, file: String) throws(CatalogError) {
        let issues = CatalogIssues(file: file)
        let root = SourceNode.parse(yaml, issues: issues)
        let reader = root.flatMap { MappingReader($0, known: CatalogReader.keys, issues: issues) }
        let catalog = reader.flatMap { CatalogReader(reader: $0).catalog() }
        CatalogText(yaml).warnOfCutTexts(issues)
        guard var catalog, issues.isEmpty else { throw issues.error }
        catalog.warnings = issues.warnings
        self = catalog
    }
}

/// Reads a catalog's top level.
struct CatalogReader {
    static let keys = [
        "catalog", "title", "about", "app", "locale", "zone", "actorName", "badge", "actor", "members", "categories",
        "push",
        "events", "types", "translations", "feeds",
    ]

    let reader: MappingReader
    let locale: String
    private let zone: String
    let translations: TranslationReader
    var issues: CatalogIssues { reader.issues }

    init(reader: MappingReader) {
        self.reader = reader
        locale = reader.languageTag("locale") ?? "en"
        zone = reader.zone("zone") ?? "UTC"
        translations = TranslationReader(catalog: reader, locale: locale)
    }

    func catalog() -> Catalog? {
        let name = reader.requiredText("catalog", expected: "the catalog's name")
        let title = reader["title"].flatMap(reader.plainText) ?? name ?? ""
        let defaults = DefaultsReader(reader: reader, locale: locale, title: title, translations: translations)
        let own = defaults.own()
        let events = events()
        let types = types(events: events, defaults: defaults, own: own)
        let rules = events.map { $0.rule(types: Dictionary(types.map { ($0.name, $0) }) { first, _ in first }) }
        let feeds = FeedRules(reader)
        for (feed, node) in events.flatMap(\.feeds) { feeds.check(feed, at: node, issues) }
        translations.check(types: typeEntries.map(\.key), categories: (own.categories ?? []).map(\.name))
        warn(events: events, types: types)
        guard let name else { return nil }
        let catalog = Catalog(
            name: name,
            source: issues.place(line: reader.node.line, column: reader.node.column),
            titles: translations.localText(title, at: ["title"]),
            locale: locale, zone: zone, app: own.push.style.app, badge: own.push.style.badge,
            languages: translations.tags.sorted(), categories: own.categories ?? [],
            eventRules: rules, notificationTypes: types,
            events: Dictionary(rules.map { ($0.name, $0) }) { first, _ in first },
            types: Dictionary(types.map { ($0.name, $0) }) { first, _ in first }, feeds: feeds)
        return catalog.with(about: about())
    }

    private func about() -> String? {
        guard let node = reader["about"], let text = reader.plainText(node) else { return nil }
        if Markdown.hasNoHTML(text) { return text }
        issues.add(node, "expected Markdown without HTML and without links that run anything")
        return nil
    }

    private func events() -> [EventReader] {
        guard let node = reader.required("events", expected: "the events and their routes") else { return [] }
        return (MappingReader(node, known: nil, issues: issues)?.entries ?? []).compactMap {
            EventReader($0, issues: issues)
        }
    }

    // MARK: Types

    var typeEntries: [SourceNode.Entry] { reader.mapping("types", known: nil)?.entries ?? [] }

    private func types(events: [EventReader], defaults: DefaultsReader, own: Defaults) -> [NotificationType] {
        guard reader.required("types", expected: "the notification types") != nil else { return [] }
        let entries = typeEntries
        let names = entries.map(\.key)
        for type in events.lazy.flatMap(\.routes).map(\.type) where !names.contains(type.scalar ?? "") {
            issues.add(type, "unknown notification type\(Spelling.hint(for: type.scalar ?? "", among: names))")
        }
        let translated = translations.tags.map { (tag: $0, defaults: defaults.translated(into: $0, own)) }
        return entries.compactMap { entry in
            let leading = events.filter { event in event.routes.contains { $0.type.scalar == entry.key } }
            return type(entry, declared: leading.compactMap(\.declared), own: own, translated: translated)
        }
    }

    private func type(
        _ entry: SourceNode.Entry, declared: [PlaceholderScope.DeclaredData], own: Defaults,
        translated: [(tag: String, defaults: Defaults)]
    ) -> NotificationType? {
        let used = UsedData()
        guard let reader = TypeReader(entry, declared: declared, defaults: own, used: used, issues: issues)
        else { return nil }
        let title = reader.reader.mapping("preferences", known: nil).flatMap { $0["title"].flatMap($0.plainText) }
        var plan = reader.plan(
            zone: zone,
            title: translations.localText(title ?? entry.key, at: ["types", entry.key, "preferences", "title"]))
        let wording = reader.wording()
        var wordings: [String: Wording] = [:]
        for (tag, defaults) in translated {
            var defaults = defaults
            defaults.language = translations.speaks(tag, type: entry.key, ownLocale: locale) ? tag : locale
            let entry = translations.type(entry, in: tag)
            wordings[Languages.key(tag)] =
                TypeReader(entry, declared: declared, defaults: defaults, used: used, issues: issues)?.wording()
        }
        plan.shownData = used.members
        (plan.shownPaths, plan.shownElements) = (used.paths, used.elements)
        warnOfUnused(used, in: reader)
        return wording.map {
            NotificationType(
                name: entry.key, plan: plan, wording: $0, translations: wordings, languages: translations.languages)
        }
    }
}
