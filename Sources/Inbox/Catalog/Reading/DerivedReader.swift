/// Reads what a type makes of the event's values before its texts use them: `preview`, `times` and `words`.
struct DerivedReader {
    private static let reservedNames = ["actor", "preview", "count", "kind"]

    /// The type's.
    let reader: MappingReader
    let scope: PlaceholderScope

    /// Where values come from: what is derived has nothing derived within.
    private var source: PlaceholderScope {
        var source = scope
        source.hasPreview = false
        source.derivedNames = []
        return source
    }

    func preview() -> PreviewRule? {
        guard let preview = reader.mapping("preview", known: ["path", "max", "optional"]) else { return nil }
        let path = preview.required("path", expected: "the path of a text, like comment.text")
            .flatMap { preview.placeholder($0, isText: true, in: source) }
        let maximum = preview.required("max", expected: "the greatest number of characters")
            .flatMap { preview.wholeNumber($0, in: PreviewRule.smallestMaximum...10_000) }
        let isOptional = mayLack(preview)
        guard let path, let maximum else { return nil }
        return PreviewRule(source: path, maximum: maximum, isOptional: isOptional)
    }

    /// - Parameter language: the language tag in whose way times are printed.
    func times(language: String) -> [TimeRule] {
        entries(of: "times").compactMap { entry -> TimeRule? in
            guard let time = MappingReader(entry.value, known: ["path", "format", "optional"], issues: reader.issues)
            else { return nil }
            let path = time.required("path", expected: "the path of a date and time, like round.startsAt")
                .flatMap { time.placeholder($0, isText: true, in: source) }
            let pattern = time.required("format", expected: "a date skeleton, like yMMMd")
                .flatMap { datePattern($0, of: time, language: language) }
            let isOptional = mayLack(time)
            guard let path, let pattern else { return nil }
            return TimeRule(name: entry.key, source: path, pattern: pattern, isOptional: isOptional)
        }
    }

    private func datePattern(_ node: SourceNode, of time: MappingReader, language: String) -> DatePattern? {
        guard let skeleton = time.text(node) else { return nil }
        if let pattern = DatePattern(skeleton: skeleton, locale: language) { return pattern }
        time.issues.add(node, "expected a date skeleton (Unicode UTS 35) like yMMMd or jm")
        return nil
    }

    func words() -> [WordRule] {
        entries(of: "words").compactMap { entry -> WordRule? in
            guard
                let word = MappingReader(
                    entry.value, known: ["path", "of", "other", "optional"], issues: reader.issues)
            else { return nil }
            let path = word.required("path", expected: "the path of a value, like issue.priority")
                .flatMap { word.placeholder($0, isText: true, in: source) }
            let pairs = word.required("of", expected: "values and their words, like {high: \"High\"}")
                .flatMap { MappingReader($0, known: nil, issues: word.issues) }?.entries
                .compactMap { pair in word.plainText(pair.value).map { (pair.key, $0) } }
            let other = word["other"].flatMap(word.plainText)
            let isOptional = mayLack(word)
            guard let path, let pairs else { return nil }
            return WordRule(
                name: entry.key, source: path, words: Dictionary(pairs) { first, _ in first }, other: other,
                isOptional: isOptional)
        }
    }

    private func entries(of key: String) -> [SourceNode.Entry] {
        guard let values = reader.mapping(key, known: nil) else { return [] }
        for entry in values.entries where Self.reservedNames.contains(entry.key) || scope.list == [entry.key] {
            values.refuse(entry, "there is a placeholder of this name already; expected another name")
        }
        return values.entries
    }

    private func mayLack(_ value: MappingReader) -> Bool { value["optional"].flatMap(value.truth) ?? false }
}

extension PlaceholderScope {
    /// Lets texts use what the type derives; mistakes are left to ``DerivedReader``.
    mutating func addDerived(of type: MappingReader) {
        let quiet = CatalogIssues(file: "")
        func isOptional(_ node: SourceNode) -> Bool {
            MappingReader(node, known: nil, issues: quiet)?["optional"]?.scalar.map { $0.lowercased() == "true" }
                ?? false
        }
        if type["preview"].map(isOptional) ?? false { optionalNames.insert("preview") }
        for key in ["times", "words"] {
            guard let node = type[key], let values = MappingReader(node, known: nil, issues: quiet) else { continue }
            derivedNames += values.entries.map(\.key)
            optionalNames.formUnion(values.entries.filter { isOptional($0.value) }.map(\.key))
        }
    }
}
