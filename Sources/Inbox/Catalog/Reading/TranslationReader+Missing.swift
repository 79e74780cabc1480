extension TranslationReader {
    /// Warns of texts that a translation lacks: its readers get the catalog's own words there.
    ///
    /// A regional translation, such as `pt-BR` beside `pt`, is not checked: `pt` stands in for it.
    ///
    /// - Parameters:
    ///   - types: the catalog's own types.
    ///   - categories: the catalog's own categories; nil for none.
    ///   - digest: the words of a push for several types; nil for none.
    func warnOfMissing(
        types: [SourceNode.Entry], categories: SourceNode?, digest: SourceNode?, ownLocale: String
    ) {
        for tag in tags.map({ $0.lowercased() })
        where languages.layers(of: tag) == [tag] && LocaleTag.language(of: tag) != LocaleTag.language(of: ownLocale) {
            guard let translation = section(of: tag) else { continue }
            warn(
                translation,
                of: Self.missing(in: translation.member("categories"), of: categories, as: Self.titles)
                    .map { "categories.\($0)" })
            if let digest {
                let lacking = Self.missing(
                    in: translation.member("push")?.member("digest"), of: digest, as: Self.pushTexts)
                warn(translation, of: lacking.map { "push.digest.\($0)" })
            }
            warn(translation, ofTypes: types)
        }
    }

    private static var pushTexts: TextShape { .keys([("title", .text), ("body", .text)]) }
    private static var titles: TextShape { .names(.keys([("title", .text)])) }

    private func warn(_ translation: SourceNode, ofTypes types: [SourceNode.Entry]) {
        let texts = translation.member("types")
        var untranslated: [String] = []
        for type in types {
            let lacking = Self.missing(in: texts?.member(type.key), of: type.value, as: Self.sentences(of: type.value))
            if let own = texts?.member(type.key) {
                warn(own, of: lacking)
            } else if !lacking.isEmpty {
                untranslated.append("types.\(type.key)")
            }
        }
        warn(translation, of: untranslated)
    }

    private func warn(_ node: SourceNode, of missing: [String]) {
        guard !missing.isEmpty else { return }
        let names = missing.joined(separator: ", ")
        issues.warn(node, "not translated: \(names); readers of this language get the catalog's own words")
    }

    /// The texts of a type that people surely read. Its `fields` may hold the app's own names, which nobody translates.
    private static func sentences(of type: SourceNode) -> TextShape {
        let hasKind = type.member("batch")?.member("kind") != nil
        return .keys([
            ("text", .text), ("groupText", .text), ("parts", .names(.text)),
            ("words", .names(.keys([("of", .names(.text)), ("other", .text)]))),
            ("batch", .keys([("nouns", hasKind ? .names(.text) : .text)])),
            ("preferences", .keys([("title", .text)])), ("question", .keys([("actions", .names(.text))])),
            ("activity", .keys([("alert", pushTexts)])),
            ("push", .keys([("title", .text), ("body", .text), ("summary", pushTexts)])),
        ])
    }

    /// The paths of texts that the catalog has and the translation lacks.
    private static func missing(in translation: SourceNode?, of own: SourceNode?, as shape: TextShape) -> [String] {
        guard let own, case .mapping(let entries) = own.value else { return [] }
        return entries.flatMap { entry -> [String] in
            guard !entry.value.isNull, let shape = self.shape(shape, at: entry.key) else { return [] }
            let translated = translation?.member(entry.key)
            if case .text = shape { return translated == nil && entry.value.hasWords ? [entry.key] : [] }
            return missing(in: translated, of: entry.value, as: shape).map { "\(entry.key).\($0)" }
        }
    }

    private static func shape(_ shape: TextShape, at key: String) -> TextShape? {
        switch shape {
        case .keys(let shapes): shapes.first { $0.0 == key }?.1
        case .names(let shape): shape
        case .optional(let shape): self.shape(shape, at: key)
        case .text, .members: nil
        }
    }
}

extension SourceNode {
    /// Whether the text has a letter outside its placeholders.
    fileprivate var hasWords: Bool {
        switch value {
        case .scalar(let text, _): text.replacing(/\{\{.*?\}\}/, with: "").contains(where: \.isLetter)
        case .list(let elements): elements.contains(where: \.hasWords)
        case .mapping(let entries): entries.contains(where: \.value.hasWords)
        }
    }
}
