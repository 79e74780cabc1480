/// A text with a number as a catalog has it: one for every number, or one for each form that its language tells apart.
struct CountedRule: Sendable, Hashable {
    /// The language in which it is written.
    let locale: String
    private let rules: PluralRules
    /// Always with `other`, which stands in for a form that is missing.
    private let forms: [PluralCategory: TextRule]
    private let other: TextRule

    init(locale: String, forms: [PluralCategory: TextRule], other: TextRule) {
        self.locale = locale
        self.forms = forms
        self.other = other
        rules = PluralRules.of(locale)
    }

    /// The form for a number that is known.
    func form(for count: Int64) -> TextRule { forms.isEmpty ? other : forms[rules.category(of: count)] ?? other }

    /// The text with the number left open; nil if a value is missing.
    func countedText(_ rendering: Rendering) -> CountedText? {
        guard let other = other.pieces(rendering) else { return nil }
        var pieces: [PluralCategory: [String]] = [.other: other]
        for (category, form) in forms {
            guard let form = form.pieces(rendering) else { return nil }
            pieces[category] = form
        }
        return CountedText(locale: locale, forms: pieces)
    }

    var requirements: [Requirement] {
        PluralCategory.allCases.compactMap { forms[$0] }.flatMap(\.requirements) + other.requirements
    }
}
