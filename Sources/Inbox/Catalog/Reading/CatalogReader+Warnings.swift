/// Finds probable mistakes: parts of a catalog that are valid and never do anything.
extension CatalogReader {
    func warn(events: [EventReader], types: [NotificationType]) {
        let reached = Set(events.flatMap(\.routes).compactMap(\.type.scalar))
        for entry in typeEntries where !reached.contains(entry.key) {
            issues.warn(entry, "never used: no event has a route to this type")
        }
        let categories = Set(types.compactMap(\.category))
        for entry in reader.mapping("categories", known: nil)?.entries ?? [] where !categories.contains(entry.key) {
            issues.warn(entry, "never used: no type has this category")
        }
        translations.warnOfMissing(
            types: typeEntries, categories: reader["categories"], digest: reader["push"]?.member("digest"),
            ownLocale: locale)
    }

    /// - Parameter used: the values that the type's texts use, in all languages.
    func warnOfUnused(_ used: UsedData, in type: TypeReader) {
        if let preview = type.reader["preview"], !used.derived.contains("preview") {
            issues.warn(preview, "never used: no text of the type shows {{preview}}")
        }
        for key in DerivedReader.keys {
            for entry in type.reader.mapping(key, known: nil)?.entries ?? [] where !used.derived.contains(entry.key) {
                issues.warn(entry, "never used: no text of the type shows {{\(entry.key)}}")
            }
        }
    }
}

extension TypeReader {
    /// Finds preferences that contradict each other.
    func warn(of preferences: MappingReader) {
        func says(_ key: String, _ value: Bool) -> Bool {
            let words = value ? ["on", "true"] : ["off", "false"]
            return preferences[key]?.scalar.map { words.contains($0.lowercased()) } ?? false
        }
        let (isRequired, isOff) = (says("required", true), says("inApp", false))
        if isRequired, isOff, !says("push", true), let node = preferences["inApp"] {
            issues.warn(node, "with \"required: true\" nobody gets this type, and nobody can switch it on")
        }
        guard let push = preferences["push"] else { return }
        if reader["push"] == nil {
            issues.warn(push, "never used: the type has no push")
        } else if isRequired, !isOff, says("push", false) {
            issues.warn(push, "with \"required: true\" nobody gets a push of this type, and nobody can switch it on")
        }
    }
}

extension SourceNode {
    /// The value of a mapping's key; nil where there is none.
    func member(_ key: String) -> SourceNode? {
        guard case .mapping(let entries) = value else { return nil }
        return entries.first { $0.key == key && !$0.value.isNull }?.value
    }
}
