package import JSON

/// A group of notification types, as people see it in a list and choose it in their preferences.
package struct Category: Sendable {
    package let name: String
    let titles: LocalText
    /// What the app shows with it, as the catalog has it: `{"icon":"person","color":"green"}`.
    package let data: JSONObject

    /// - Parameter locale: the reader's language tag; nil for the catalog's own language.
    package func title(in locale: String? = nil) -> String { titles.text(in: locale) }
}
