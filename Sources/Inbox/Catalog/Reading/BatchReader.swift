/// Reads how a type's notifications grow.
struct BatchReader {
    private static let keys = ["window", "by", "count", "kind", "nouns", "separators", "samples", "bump"]

    private let reader: MappingReader
    private let scope: PlaceholderScope

    init?(_ node: SourceNode, scope: PlaceholderScope, issues: CatalogIssues) {
        guard let reader = MappingReader(node, known: Self.keys, issues: issues) else { return nil }
        self.reader = reader
        self.scope = scope
    }

    /// The placeholders that a type's texts may use, given its batch; ``rule()`` reports mistakes.
    static func scope(
        of batch: SourceNode?, within base: PlaceholderScope, hasPreview: Bool
    ) -> PlaceholderScope {
        var scope = base
        scope.hasPreview = hasPreview
        let quiet = CatalogIssues(file: "")
        guard let batch, let reader = MappingReader(batch, known: nil, issues: quiet) else { return scope }
        scope.list = reader["count"].flatMap(reader.path) ?? []
        scope.hasKind = reader["kind"] != nil
        return scope
    }

    func rule() -> BatchRule? {
        let window = reader.required("window", expected: "a duration like 5m").flatMap(reader.duration)
        let by = by()
        let kind = reader["kind"].flatMap(reader.path)
        let nouns = nouns(hasKind: reader["kind"] != nil)
        let separators = separators()
        let shown = UsedData()
        let samples = samples(of: nouns?.map(\.kind).filter { !$0.isEmpty } ?? [], noting: shown)
        let list = reader.required("count", expected: "the path of a list, like elements").flatMap {
            // Elements that are shown whole have no unread members; elements that are only counted need none.
            let isWhole = samples.map { $0.each == nil } ?? (kind == nil)
            return self.list($0, elements: isWhole ? nil : Array(shown.paths) + [kind].compactMap(\.self))
        }
        guard let window, let list, let nouns else { return nil }
        return BatchRule(
            window: window, by: by, list: list, kind: kind, nouns: nouns, separators: separators, samples: samples,
            comesUpAgain: reader["bump"].flatMap(reader.truth) ?? false)
    }

    private func by() -> [Placeholder] {
        guard reader.required("by", expected: "a list of paths, like [actor.id, room.id]") != nil else { return [] }
        return (reader.list("by") ?? []).compactMap { node in
            guard let placeholder = reader.placeholder(node, isText: true, in: scope) else { return nil }
            switch placeholder {
            case .actor, .data: return placeholder
            case .actorName, .preview, .derived, .phrase, .count, .kind, .folded, .people:
                reader.issues.add(node, "expected the path of a single value, like actor.id")
                return nil
            }
        }
    }

    /// - Parameter elements: see ``PlaceholderScope/usedElements``.
    private func list(_ node: SourceNode, elements: [[String]]?) -> [String]? {
        var scope = scope
        scope.list = nil
        scope.derivedNames = []
        scope.usedElements = elements
        switch reader.placeholder(node, isText: false, in: scope) {
        case .data(let path): return path
        case .actorName, .actor, .preview, .derived, .phrase, .count, .kind, .folded, .people:
            reader.issues.add(node, "expected the path of a list in the event's data")
            return nil
        case nil: return nil
        }
    }

    // MARK: Nouns

    private func nouns(hasKind: Bool) -> [BatchRule.Noun]? {
        let expected = hasKind ? "each kind with {one: …, other: …}" : "{one: …, other: …}"
        guard let node = reader.required("nouns", expected: expected) else { return nil }
        guard hasKind else { return noun(node, kind: "").map { [$0] } }
        guard let kinds = MappingReader(node, known: nil, issues: reader.issues)?.entries else { return nil }
        if kinds.isEmpty { reader.issues.add(node, "expected at least one kind") }
        return kinds.compactMap { noun($0.value, kind: $0.key) }
    }

    private func noun(_ node: SourceNode, kind: String) -> BatchRule.Noun? {
        reader.countedRule(node, in: .noun(in: scope.locale)).map { BatchRule.Noun(kind: kind, words: $0) }
    }

    private func separators() -> [String] {
        guard let node = reader["separators"], let elements = reader.list("separators") else { return [", ", " and "] }
        let texts = elements.compactMap(reader.text)
        guard texts.count == 2 else {
            reader.issues.add(node, "expected two texts: one between nouns, one before the last noun")
            return [", ", " and "]
        }
        return texts
    }

    // MARK: Samples

    /// `{thumbnails: 5, kinds: […], each: {…}}`. Beside `kinds` and `each` there is one key: the member that shows the
    /// samples, with the number of first samples, or `{last: 5}`. `{last: 5}` alone is `{samples: {last: 5}}`.
    /// - Parameters:
    ///   - kinds: the kinds that elements may have.
    ///   - used: notes the shown parts of an element.
    private func samples(of kinds: [String], noting used: UsedData) -> BatchRule.Samples? {
        guard let samples = reader.mapping("samples", known: nil) else { return nil }
        let names = samples.entries.filter { !["kinds", "each"].contains($0.key) }
        guard let entry = names.first, names.count == 1 else {
            let expected =
                "expected one member's name with its greatest number of samples, like thumbnails: 5 or thumbnails: {last: 5}"
            samples.issues.add(samples.node, expected)
            return nil
        }
        let isShort = Self.numberKeys.contains(entry.key)
        if !isShort { samples.checkName(entry) }
        let shown = samples.list("kinds")?.compactMap { kind($0, of: kinds) }
        var element = PlaceholderScope.element
        element.used = used
        let each = samples.mapping("each", known: nil)?.memberRules(in: element)
        guard let number = isShort ? number(entry, samples) : number(entry.value, samples) else { return nil }
        return BatchRule.Samples(
            member: isShort ? "samples" : entry.key, maximum: number.maximum, showsLast: number.isOfLast, kinds: shown,
            each: each)
    }

    private static let numberKeys = ["first", "last"]

    /// `5`, `{first: 5}` or `{last: 5}`.
    private func number(_ node: SourceNode, _ samples: MappingReader) -> (maximum: Int, isOfLast: Bool)? {
        guard case .mapping = node.value else {
            return samples.wholeNumber(node, in: 1...100).map { ($0, false) }
        }
        guard let reader = MappingReader(node, known: Self.numberKeys, issues: samples.issues) else { return nil }
        guard let entry = reader.entries.first, reader.entries.count == 1 else {
            reader.issues.add(node, "expected how many of the first or of the last samples, like {last: 5}")
            return nil
        }
        return number(entry, reader)
    }

    private func number(_ entry: SourceNode.Entry, _ reader: MappingReader) -> (maximum: Int, isOfLast: Bool)? {
        reader.wholeNumber(entry.value, in: 1...100).map { ($0, entry.key == "last") }
    }

    /// One of the kinds that the batch has nouns for.
    private func kind(_ node: SourceNode, of kinds: [String]) -> String? {
        guard let kind = reader.text(node) else { return nil }
        if kinds.contains(kind) { return kind }
        let expected = kinds.isEmpty ? "no kinds, for elements have none without \"kind\"" : Spelling.list(kinds)
        reader.issues.add(node, "expected \(expected)")
        return nil
    }
}
