/// Reads a catalog's `translations`: the same texts in other languages, laid over the catalog's own words.
struct TranslationReader {
    private static let keys = ["title", "categories", "push", "types"]

    let languages: Languages
    /// The tags as the catalog writes them, in its order.
    let tags: [String]
    /// By ``Languages/key(_:)``.
    private let translations: [String: MappingReader]
    let issues: CatalogIssues

    /// - Parameter locale: the tag of the catalog's own language.
    init(catalog: MappingReader, locale: String) {
        issues = catalog.issues
        var translations: [String: MappingReader] = [:]
        var tags: [String] = []
        let section = catalog.mapping("translations", known: nil)
        for entry in section?.entries ?? [] {
            let tag = Languages.key(entry.key)
            guard LocaleTag.isKnown(entry.key) else {
                section?.refuse(entry, "expected a language tag (BCP 47) like de or pt-BR")
                continue
            }
            guard tag != Languages.key(locale), translations[tag] == nil else {
                section?.refuse(entry, "there are texts in this language already; expected another one")
                continue
            }
            translations[tag] = MappingReader(entry.value, known: Self.keys, issues: catalog.issues)
            tags.append(entry.key)
        }
        languages = Languages(own: locale, translations: tags)
        self.translations = translations
        self.tags = tags
    }

    // MARK: Texts of the catalog

    /// The text at a path of keys, in each language.
    func localText(_ own: String, at path: [String]) -> LocalText {
        var text = LocalText(own: own, languages: languages)
        for tag in tags.map(Languages.key) {
            let nodes = languages.layers(of: tag).compactMap { node(at: path, in: $0) }
            text.translations[tag] = nodes.last.flatMap { node in translations[tag]?.plainText(node) }
        }
        return text
    }

    /// All texts of a translation.
    func section(of tag: String) -> SourceNode? { translations[tag]?.node }

    private func node(at path: [String], in tag: String) -> SourceNode? {
        guard let section = translations[tag] else { return nil }
        return path.reduce(section.node) { node, key in
            guard let node, case .mapping(let entries) = node.value else { return nil }
            return entries.first { $0.key == key && !$0.value.isNull }?.value
        }
    }

    /// The words of a push for several types; nil for the catalog's own.
    func digest(_ own: SourceNode?, in tag: String) -> SourceNode? {
        let shape = TextShape.keys([("title", .text), ("body", .text)])
        let layers = languages.layers(of: Languages.key(tag)).compactMap { node(at: ["push", "digest"], in: $0) }
        guard let first = layers.first else { return own }
        guard let own else {
            return layers.dropFirst().reduce(first.spoken(in: tag)) { digest, node in
                digest.translated(by: node, as: shape, into: tag, issues: issues)
            }
        }
        return layers.reduce(own) { $0.translated(by: $1, as: shape, into: tag, issues: issues) }
    }

    // MARK: Types

    /// The type with its texts in this language.
    func type(_ entry: SourceNode.Entry, in tag: String) -> SourceNode.Entry {
        let shape = Self.shape(of: entry.value)
        let translated = languages.layers(of: Languages.key(tag)).reduce(entry.value) { type, layer in
            guard let texts = node(at: ["types", entry.key], in: layer) else { return type }
            return type.translated(by: texts, as: shape, into: layer, issues: issues)
        }
        return SourceNode.Entry(key: entry.key, line: entry.line, column: entry.column, value: translated)
    }

    /// Whether times of the type are printed in this language: if its texts are, or if the language is a regional form
    /// of the catalog's.
    func speaks(_ tag: String, type: String, ownLocale: String) -> Bool {
        LocaleTag.language(of: tag) == LocaleTag.language(of: ownLocale)
            || languages.layers(of: Languages.key(tag)).contains { node(at: ["types", type], in: $0) != nil }
    }

    private static func shape(of type: SourceNode) -> TextShape {
        var hasKind = false
        if case .mapping(let entries) = type.value, let batch = entries.first(where: { $0.key == "batch" })?.value,
            case .mapping(let entries) = batch.value
        {
            hasKind = entries.contains { $0.key == "kind" && !$0.value.isNull }
        }
        return .keys([
            ("text", .text), ("groupText", .text), ("fields", .members), ("parts", .names(.text)),
            ("words", .names(.keys([("of", .names(.text)), ("other", .optional(.text))]))),
            ("batch", .keys([("nouns", hasKind ? .names(.text) : .text), ("separators", .optional(.text))])),
            ("preferences", .optional(.keys([("title", .optional(.text))]))),
            ("question", .keys([("actions", .names(.text))])),
            (
                "activity",
                .keys([
                    ("alert", .keys([("title", .text), ("body", .text)])), ("attributes", .members),
                    ("state", .members),
                ])
            ),
            (
                "push",
                .keys([
                    ("title", .text), ("body", .text), ("summary", .keys([("title", .text), ("body", .text)])),
                ])
            ),
        ])
    }

    // MARK: Mistakes

    /// Finds keys and names that the catalog lacks.
    func check(types: [String], categories: [String]) {
        for tag in tags {
            guard let translation = translations[Languages.key(tag)] else { continue }
            _ = translation.mapping("types", known: types)
            _ = translation.mapping("push", known: ["digest"])?.mapping("digest", known: ["title", "body"])
            for entry in translation.mapping("categories", known: categories)?.entries ?? [] {
                _ = MappingReader(entry.value, known: ["title"], issues: issues)
            }
        }
    }
}

extension SourceNode {
    /// This node; all texts right below it are marked as a translation's.
    fileprivate func spoken(in language: String) -> SourceNode {
        guard case .mapping(let entries) = value else { return self }
        let spoken = entries.map { entry in
            var value = entry.value
            value.language = language
            return Entry(key: entry.key, line: entry.line, column: entry.column, value: value)
        }
        return SourceNode(path: path, line: line, column: column, value: .mapping(spoken), language: language)
    }
}
