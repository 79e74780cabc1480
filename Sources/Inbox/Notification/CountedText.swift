/// A rendered text in which only a number is still open: "… people upvoted your post".
package struct CountedText: Sendable, Hashable {
    struct Form: Sendable, Hashable {
        let category: PluralCategory
        /// Between which the number goes: none of it for one piece.
        let pieces: [String]
    }

    /// The language whose rules choose the form; empty where there is one form for every number.
    package let locale: String
    /// In CLDR's order, each category once; never more than six, so that looking through them is quick.
    let forms: [Form]
    /// Whether the number is that of people, and not of what they did.
    package let isOfPeople: Bool

    /// A text that reads alike for every number.
    package init(pieces: [String], isOfPeople: Bool = false) {
        self.init(locale: "", forms: [Form(category: .other, pieces: pieces)], isOfPeople: isOfPeople)
    }

    /// - Parameter forms: those that the language tells apart; `other` stands in for one that is missing.
    package init(locale: String, forms: [PluralCategory: [String]], isOfPeople: Bool = false) {
        self.init(
            locale: locale,
            forms: PluralCategory.allCases.compactMap { category in
                forms[category].map { Form(category: category, pieces: $0) }
            }, isOfPeople: isOfPeople)
    }

    /// - Parameter forms: in CLDR's order.
    init(locale: String, forms: [Form], isOfPeople: Bool) {
        // Where there is no choice, the language does not matter: equal texts are equal.
        self.locale = forms.count > 1 ? locale : ""
        self.forms = forms
        self.isOfPeople = isOfPeople
    }

    /// - Parameters:
    ///   - count: how many there are.
    ///   - people: how many did that; as many, if nobody has counted them.
    package func text(count: Int, people: Int? = nil) -> String {
        let count = isOfPeople ? people ?? count : count
        let category = forms.count > 1 ? PluralRules.of(locale).category(of: Int64(count)) : .other
        let form = forms.first { $0.category == category } ?? forms.first { $0.category == .other }
        return (form?.pieces ?? []).joined(separator: String(count))
    }
}
