extension MappingReader {
    /// A text, or a list of texts: the first one counts whose values are all there.
    func textRule(_ node: SourceNode, in scope: PlaceholderScope) -> TextRule? {
        guard case .list(let elements) = node.value else {
            return template(node, in: scope).flatMap { checked(TextRule([$0]), at: node, in: scope) }
        }
        guard let last = elements.last else {
            issues.add(node, "expected at least one text")
            return nil
        }
        let templates = elements.compactMap { element in
            element.path == last.path && element.scalar == "" ? Template(plain: "") : template(element, in: scope)
        }
        guard templates.count == elements.count else { return nil }
        warnOfUnused(templates, at: elements, in: scope)
        return checked(TextRule(templates), at: last, in: scope)
    }

    /// Finds texts behind one that always counts: it needs no values beyond those of the last text.
    private func warnOfUnused(_ templates: [Template], at elements: [SourceNode], in scope: PlaceholderScope) {
        let needed = templates.last?.placeholders ?? []
        let always = templates.dropLast().firstIndex { template in
            template.placeholders.allSatisfy { needed.contains($0) && scope.optionalName(of: $0) == nil }
        }
        guard let always else { return }
        issues.warn(
            elements[always + 1], "never used: the text before it needs nothing that may be missing, and counts always")
    }

    /// Checks that the last text needs no value that an event may lack.
    private func checked(_ rule: TextRule, at node: SourceNode, in scope: PlaceholderScope) -> TextRule? {
        guard let name = rule.alternatives.last?.placeholders.lazy.compactMap(scope.optionalName).first else {
            return rule
        }
        issues.add(node, "{{\(name)}} may be missing; expected a list of texts whose last text works without it")
        return nil
    }

    /// A text for every number, or one for each plural form of the language: `{one: …, other: …}`.
    func countedRule(_ node: SourceNode, in scope: PlaceholderScope) -> CountedRule? {
        let locale = node.language ?? scope.locale
        guard case .mapping = node.value else {
            return textRule(node, in: scope)
                .flatMap { checked(CountedRule(locale: locale, forms: [:], other: $0), at: node) }
        }
        let rules = PluralRules.of(locale)
        let all = PluralCategory.allCases.map(\.rawValue)
        guard let reader = MappingReader(node, known: all, issues: issues) else { return nil }
        var forms: [PluralCategory: TextRule] = [:]
        for entry in reader.entries {
            guard let category = PluralCategory(rawValue: entry.key) else { continue }
            guard rules.categories.contains(category) else {
                let names = Spelling.list(rules.categories.map(\.rawValue))
                let message = "\"\(locale)\" has no plural form of this name; expected \(names)"
                issues.add(line: entry.line, column: entry.column, key: entry.value.path, message)
                continue
            }
            forms[category] = textRule(entry.value, in: scope)
        }
        guard reader.required("other", expected: "how all other numbers read, like \"{{count}} photos\"") != nil,
            let other = forms.removeValue(forKey: .other)
        else { return nil }
        return checked(CountedRule(locale: locale, forms: forms, other: other), at: node)
    }

    /// Checks that the text shows only one number: that number chooses the form.
    private func checked(_ rule: CountedRule, at node: SourceNode) -> CountedRule? {
        guard rule.shows(.folded), rule.shows(.people) else { return rule }
        issues.add(node, "expected either {{count}} or {{people}}: only one number can choose the form")
        return nil
    }

    /// `{title: …, body: …}` of a push for several notifications.
    func summary(in scope: PlaceholderScope) -> PushTemplate.Summary? {
        let title = required("title", expected: "the title of a push for several")
            .flatMap { countedRule($0, in: scope) }
        let body = required("body", expected: "the text of a push for several")
            .flatMap { countedRule($0, in: scope) }
        guard let title, let body else { return nil }
        return PushTemplate.Summary(title: title, body: body)
    }
}
