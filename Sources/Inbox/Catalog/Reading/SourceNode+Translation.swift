import JSON

/// The places of texts beneath a key, for translations.
indirect enum TextShape {
    /// A text in any form.
    case text
    /// Keys that Belfry defines.
    case keys([(String, TextShape)])
    /// Names that the catalog chose.
    case names(TextShape)
    /// Members of a notification: texts, and objects that hold texts.
    case members
    /// Texts with default words: a catalog may leave them out.
    case optional(TextShape)
}

extension SourceNode {
    /// This node with a translation's texts in place of its own; mistakes become issues and are skipped.
    func translated(
        by translation: SourceNode, as shape: TextShape, into language: String, issues: CatalogIssues
    ) -> SourceNode {
        switch (shape, value) {
        case (.optional(let shape), _):
            return translated(by: translation, as: shape, into: language, issues: issues)
        case (.text, _):
            var text = translation
            text.language = language
            return text
        case (.keys(let shapes), .mapping(let entries)):
            let reader = MappingReader(translation, known: shapes.map(\.0), issues: issues)
            return replacing(entries, by: reader, into: language) { key in shapes.first { $0.0 == key }?.1 }
        case (.names(let shape), .mapping(let entries)):
            let reader = MappingReader(translation, known: entries.map(\.key), issues: issues)
            return replacing(entries, by: reader, into: language) { key in
                entries.contains { $0.key == key } ? shape : nil
            }
        case (.members, .mapping(let entries)) where !entries.contains { $0.key == "value" }:
            let reader = MappingReader(translation, known: entries.map(\.key), issues: issues)
            return replacing(entries, by: reader, into: language) { key in
                entries.contains { $0.key == key } ? .members : nil
            }
        case (.members, .scalar), (.members, .list):
            if isText { return translated(by: translation, as: .text, into: language, issues: issues) }
        case (.keys, _), (.names, _), (.members, .mapping): break
        }
        issues.add(translation, "there is no text here to translate; expected no such key")
        return self
    }

    /// Whether the node is a text, or a list of texts.
    private var isText: Bool {
        literal?.string != nil || isTemplate
    }

    /// - Parameter shape: the shape beneath a key; nil for a key that was refused already.
    private func replacing(
        _ entries: [Entry], by translation: MappingReader?, into language: String, shape: (String) -> TextShape?
    ) -> SourceNode {
        guard let translation else { return self }
        var result = entries
        for entry in translation.entries where !entry.value.isNull {
            guard let shape = shape(entry.key) else { continue }
            let place = result.firstIndex { $0.key == entry.key && !$0.value.isNull }
            let own: SourceNode
            if let place {
                own = result[place].value
            } else if case .optional = shape {
                own = SourceNode(path: entry.value.path, line: entry.line, column: entry.column, value: .mapping([]))
            } else {
                translation.refuse(entry, "the catalog's own words have no such text; expected no such key")
                continue
            }
            let text = own.translated(by: entry.value, as: shape, into: language, issues: translation.issues)
            result.removeAll { $0.key == entry.key }
            // In the original's place, because the order of `fields` becomes the order of the notification's members.
            result.insert(
                Entry(key: entry.key, line: entry.line, column: entry.column, value: text), at: place ?? result.endIndex
            )
        }
        return SourceNode(path: path, line: line, column: column, value: .mapping(result), language: self.language)
    }
}
