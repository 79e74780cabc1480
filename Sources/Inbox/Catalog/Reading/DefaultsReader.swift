import JSON

extension CatalogReader {
    /// A catalog's settings for all its types.
    struct Defaults {
        /// The tag of the language in which the catalog is written.
        var locale: String
        /// The tag of the language in which times are printed.
        var language: String
        var actorName: ActorNameRule
        var actor: [String]
        var shared: [BodyLayout.SharedMember]
        /// Nil if the catalog declares none: types may then name any category.
        var categories: [Category]?
        var push: PushDefaults
    }
}

/// Reads a catalog's settings for all its types.
struct DefaultsReader {
    /// The catalog's.
    let reader: MappingReader
    let locale: String
    /// The app's name as people know it.
    let title: String
    let translations: TranslationReader
    private var issues: CatalogIssues { reader.issues }

    func own() -> CatalogReader.Defaults {
        let actorName: ActorNameRule = reader.choice("actorName") ?? .firstName
        var push = PushDefaults(
            app: reader["app"].flatMap(reader.plainText) ?? "", badge: reader.choice("badge") ?? .unread,
            actorName: actorName)
        if let mapping = reader.mapping("push", known: PushDefaults.keys + ["digest"]) {
            push = push.overridden(by: mapping)
        }
        push.digest = digestNode.map(digest) ?? usualDigest
        return CatalogReader.Defaults(
            locale: locale, language: locale, actorName: actorName, actor: actorMembers(), shared: sharedMembers(),
            categories: categories(), push: push)
    }

    /// The same defaults in another language.
    func translated(into tag: String, _ own: CatalogReader.Defaults) -> CatalogReader.Defaults {
        var defaults = own
        if let node = translations.digest(digestNode, in: tag) { defaults.push.digest = digest(node) }
        return defaults
    }

    // MARK: Digest

    private var digestNode: SourceNode? {
        reader["push"].flatMap { MappingReader($0, known: nil, issues: issues)?["digest"] }
    }

    private func digest(_ node: SourceNode) -> PushContent.Summary? {
        MappingReader(node, known: ["title", "body"], issues: issues)?.summary(in: .digest(in: locale))?
            .content(Rendering(data: [:]))
    }

    /// Belfry has default words in English only.
    private var usualDigest: PushContent.Summary? {
        guard LocaleTag.language(of: locale) == "en" else { return nil }
        return PushContent.Summary(
            title: CountedText(pieces: [title]),
            body: CountedText(
                locale: locale, forms: [.one: ["", " new notification"], .other: ["", " new notifications"]]))
    }

    // MARK: Members

    private func actorMembers() -> [String] {
        // Without `actor` only the id: data about a person is shown only where a catalog asks for it.
        guard let node = reader["actor"], let names = reader.list("actor") else { return ["id"] }
        if names.isEmpty { issues.add(node, "expected at least one member, like id") }
        var members: [String] = []
        for name in names {
            guard let member = reader.text(name) else { continue }
            if members.contains(member) {
                issues.add(name, "\"\(member)\" stands here already; expected each member once")
            }
            members.append(member)
        }
        return members
    }

    private func sharedMembers() -> [BodyLayout.SharedMember] {
        guard let members = reader.mapping("members", known: nil) else { return [] }
        return members.entries.compactMap { entry in
            members.checkName(entry)
            return members.choice(entry.value).map { .init(name: entry.key, source: $0) }
        }
    }

    private func categories() -> [Category]? {
        guard let categories = reader.mapping("categories", known: nil) else { return nil }
        return categories.entries.compactMap { entry in
            guard let category = MappingReader(entry.value, known: nil, issues: issues) else { return nil }
            let title = category["title"].flatMap(category.plainText) ?? entry.key
            let members = category.entries.filter { $0.key != "title" }.compactMap { member in
                category.literal(member.value).map { JSONObject.Member(key: member.key, value: $0) }
            }
            return Category(
                name: entry.key, titles: translations.localText(title, at: ["categories", entry.key, "title"]),
                data: JSONObject(members))
        }
    }
}

extension MappingReader {
    /// A language tag (BCP 47).
    func languageTag(_ key: String) -> String? {
        guard let node = self[key], let tag = text(node) else { return nil }
        if LocaleTag.isKnown(tag) { return tag }
        issues.add(node, "expected a language tag (BCP 47) like en or pt-BR")
        return nil
    }

    /// The name of a time zone.
    func zone(_ key: String) -> String? {
        guard let node = self[key], let name = text(node) else { return nil }
        if let name = ZoneNames.name(name) { return name }
        let hint = ZoneNames.nearest(to: name).map { "did you mean \"\($0)\"?" } ?? "expected a name like Europe/Berlin"
        issues.add(node, "unknown time zone; \(hint)")
        return nil
    }
}
