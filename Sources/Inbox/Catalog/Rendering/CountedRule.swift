/// A catalog's text with a number: one text for every number, or one for each plural form of the language.
struct CountedRule: Sendable, Hashable {
    private struct Form: Sendable, Hashable {
        let category: PluralCategory
        let text: TextRule
    }

    /// The language in which it is written.
    let locale: String
    private let rules: PluralRules
    /// In CLDR's order; empty for a text that reads the same for every number.
    private let forms: [Form]
    /// Stands in for a missing form.
    private let other: TextRule
    /// Whether the number counts people.
    private let isOfPeople: Bool

    init(locale: String, forms: [PluralCategory: TextRule], other: TextRule) {
        self.locale = locale
        self.forms = PluralCategory.allCases.compactMap { category in
            forms[category].map { Form(category: category, text: $0) }
        }
        self.other = other
        rules = PluralRules.of(locale)
        isOfPeople = (forms.values + [other]).contains { $0.shows(.people) }
    }

    /// Whether one of the forms shows the placeholder.
    func shows(_ placeholder: Placeholder) -> Bool {
        other.shows(placeholder) || forms.contains { $0.text.shows(placeholder) }
    }

    /// The form for a known number.
    func form(for count: Int64) -> TextRule {
        guard !forms.isEmpty else { return other }
        let category = rules.category(of: count)
        return forms.first { $0.category == category }?.text ?? other
    }

    /// The text with the number left open; nil if a value is missing.
    func countedText(_ rendering: Rendering) -> CountedText? {
        var rendered: [CountedText.Form] = []
        rendered.reserveCapacity(forms.count + 1)
        for form in forms where form.category != .other {
            guard let pieces = form.text.pieces(rendering) else { return nil }
            rendered.append(CountedText.Form(category: form.category, pieces: pieces))
        }
        // `other` is the last form in CLDR's order.
        guard let other = other.pieces(rendering) else { return nil }
        rendered.append(CountedText.Form(category: .other, pieces: other))
        return CountedText(locale: locale, forms: rendered, isOfPeople: isOfPeople)
    }

    var requirements: [Requirement] {
        forms.flatMap(\.text.requirements) + other.requirements
    }
}
