/// A rendered text with only a number left open: "… people upvoted your post".
package struct CountedText: Sendable, Hashable {
    struct Form: Sendable, Hashable {
        let category: PluralCategory
        /// The number goes between the pieces; a single piece shows no number.
        let pieces: [String]
    }

    /// The language whose rules choose the form; empty if one form serves every number.
    package let locale: String
    /// In CLDR's order, each category once; never more than six, so that a search through them is quick.
    let forms: [Form]
    /// Whether the number counts people, instead of their actions.
    package let isOfPeople: Bool

    /// A text that reads the same for every number.
    package init(pieces: [String], isOfPeople: Bool = false) {
        self.init(locale: "", forms: [Form(category: .other, pieces: pieces)], isOfPeople: isOfPeople)
    }

    /// - Parameter forms: the forms that the language tells apart; `other` stands in for a missing one.
    package init(locale: String, forms: [PluralCategory: [String]], isOfPeople: Bool = false) {
        self.init(
            locale: locale,
            forms: PluralCategory.allCases.compactMap { category in
                forms[category].map { Form(category: category, pieces: $0) }
            }, isOfPeople: isOfPeople)
    }

    /// - Parameter forms: in CLDR's order.
    init(locale: String, forms: [Form], isOfPeople: Bool) {
        // With a single form the language does not matter: equal texts must be equal.
        self.locale = forms.count > 1 ? locale : ""
        self.forms = forms
        self.isOfPeople = isOfPeople
    }

    /// - Parameters:
    ///   - count: the number of actions.
    ///   - people: the number of people; nil if nobody counted them, and `count` is used.
    package func text(count: Int, people: Int? = nil) -> String {
        let count = isOfPeople ? people ?? count : count
        let category = forms.count > 1 ? PluralRules.of(locale).category(of: Int64(count)) : .other
        let form = forms.first { $0.category == category } ?? forms.first { $0.category == .other }
        return (form?.pieces ?? []).joined(separator: String(count))
    }
}
