/// A rendered text in which only a number is still open: "… people upvoted your post".
package struct CountedText: Sendable, Hashable {
    /// The language whose rules choose the form; empty where there is one form for every number.
    package let locale: String
    /// For each form the pieces between which the number goes: none of it for one piece.
    private let forms: [PluralCategory: [String]]

    /// A text that reads alike for every number.
    package init(pieces: [String]) {
        locale = ""
        forms = [.other: pieces]
    }

    /// - Parameter forms: those that the language tells apart; `other` stands in for one that is missing.
    package init(locale: String, forms: [PluralCategory: [String]]) {
        // Where there is no choice, the language does not matter: equal texts are equal.
        self.locale = forms.count > 1 ? locale : ""
        self.forms = forms
    }

    package func text(count: Int) -> String {
        let category = forms.count > 1 ? PluralRules.of(locale).category(of: Int64(count)) : .other
        return (forms[category] ?? forms[.other] ?? []).joined(separator: String(count))
    }

    /// The pieces of each form, in CLDR's order.
    var entries: [(category: PluralCategory, pieces: [String])] {
        PluralCategory.allCases.compactMap { category in forms[category].map { (category, $0) } }
    }
}
