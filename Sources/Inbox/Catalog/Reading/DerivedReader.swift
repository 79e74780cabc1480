/// Reads the values that a type derives from the event before its texts use them: `preview`, `previews`, `times`,
/// `words` and `parts`.
struct DerivedReader {
    /// The keys with placeholders that a type defines, in the order in which they are made.
    static let keys = ["previews", "times", "words", "parts"]

    /// The type's.
    let reader: MappingReader
    let scope: PlaceholderScope

    /// The scope of source values: a derived value cannot be made of derived ones.
    private var source: PlaceholderScope {
        var source = scope
        source.hasPreview = false
        source.derivedNames = []
        return source
    }

    func previews() -> [PreviewRule] {
        let own = entries(of: "previews").compactMap { preview($0.value, as: .derived($0.key)) }
        return [reader["preview"].flatMap { preview($0, as: .preview) }].compactMap(\.self) + own
    }

    private func preview(_ node: SourceNode, as placeholder: Placeholder) -> PreviewRule? {
        let keys = ["path", "max", "ellipsis", "optional"]
        guard let preview = MappingReader(node, known: keys, issues: reader.issues) else { return nil }
        let path = preview.required("path", expected: "the path of a text, like comment.text")
            .flatMap { preview.placeholder($0, isText: true, in: source) }
        // An ellipsis that is empty is valid: nothing is appended then.
        let ellipsis =
            preview.entries.first { $0.key == "ellipsis" }
            .flatMap { $0.value.scalar == "" ? "" : preview.plainText($0.value) } ?? PreviewRule.usualEllipsis
        let maximum = preview.required("max", expected: "the greatest number of characters")
            // Room for the ellipsis and at least one character before it.
            .flatMap { preview.wholeNumber($0, in: (ellipsis.count + 1)...10_000) }
        let isOptional = mayLack(preview)
        guard let path, let maximum else { return nil }
        return PreviewRule(
            placeholder: placeholder, source: path, maximum: maximum, ellipsis: ellipsis, isOptional: isOptional)
    }

    /// - Parameter language: the language tag that decides how times are printed.
    func times(language: String) -> [TimeRule] {
        entries(of: "times").compactMap { entry -> TimeRule? in
            guard
                let time = MappingReader(
                    entry.value, known: ["path", "format", "blanks", "optional"], issues: reader.issues)
            else { return nil }
            let path = time.required("path", expected: "the path of a date and time, like round.startsAt")
                .flatMap { time.placeholder($0, isText: true, in: source) }
            let pattern = time.required("format", expected: "a date skeleton, like yMMMd")
                .flatMap { datePattern($0, of: time, language: language) }
            let isOptional = mayLack(time)
            guard let path, let pattern else { return nil }
            return TimeRule(
                name: entry.key, source: path, pattern: pattern,
                hasPlainBlanks: time.choice("blanks") == TimeRule.Blanks.plain, isOptional: isOptional)
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

    /// The parts. Each may show the parts before it, and all other values that the type derives.
    func parts() -> [PartRule] {
        let entries = entries(of: "parts")
        return entries.enumerated().compactMap { place, entry in
            var scope = scope
            let later = entries[place...].map(\.key)
            scope.derivedNames.removeAll(where: later.contains)
            guard let text = reader.textRule(entry.value, in: scope) else { return nil }
            if let name = later.first(where: { text.shows(.data([$0])) }) {
                reader.issues.add(entry.value, "{{\(name)}} does not stand before this; expected a part that does")
            }
            return PartRule(name: entry.key, text: text)
        }
    }

    private func entries(of key: String) -> [SourceNode.Entry] {
        guard let values = reader.mapping(key, known: nil) else { return [] }
        let taken = takenNames.union(Self.keys.prefix { $0 != key }.flatMap(names))
        for entry in values.entries where taken.contains(entry.key) {
            values.refuse(entry, "there is a placeholder of this name already; expected another name")
        }
        for entry in values.entries where (try? Template.path(entry.key))?.count != 1 {
            values.refuse(entry, "expected a name of letters, digits, \"_\" and \"-\", as {{placeholders}} have")
        }
        return values.entries
    }

    private func names(of key: String) -> [String] {
        guard case .mapping(let entries) = reader[key]?.value else { return [] }
        return entries.map(\.key)
    }

    /// The names that already mean something else in the type.
    private var takenNames: Set<String> {
        let quiet = CatalogIssues(file: "")
        let push = reader["push"].flatMap { MappingReader($0, known: nil, issues: quiet) }
        let hasSummary = push?["summary"] != nil
        var names: Set<String> = ["actor"]
        if scope.hasPreview { names.insert("preview") }
        if scope.list != nil || hasSummary || reader["groupText"] != nil { names.insert("count") }
        if hasSummary { names.insert("people") }
        if scope.hasKind { names.insert("kind") }
        if let list = scope.list, list.count == 1 { names.insert(list[0]) }
        return names
    }

    private func mayLack(_ value: MappingReader) -> Bool { value["optional"].flatMap(value.truth) ?? false }
}

extension PlaceholderScope {
    /// Lets texts use the values that the type derives; ``DerivedReader`` reports mistakes.
    mutating func addDerived(of type: MappingReader) {
        let quiet = CatalogIssues(file: "")
        func isOptional(_ node: SourceNode) -> Bool {
            MappingReader(node, known: nil, issues: quiet)?["optional"]?.scalar.map { $0.lowercased() == "true" }
                ?? false
        }
        if type["preview"].map(isOptional) ?? false { optionalNames.insert("preview") }
        for key in DerivedReader.keys {
            guard let node = type[key], let values = MappingReader(node, known: nil, issues: quiet) else { continue }
            derivedNames += values.entries.map(\.key)
            optionalNames.formUnion(values.entries.filter { isOptional($0.value) }.map(\.key))
        }
    }
}
