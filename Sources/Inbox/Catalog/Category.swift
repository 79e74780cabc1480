package import JSON

/// A group of notification types, as lists show it and people choose it in their preferences.
package struct Category: Sendable {
    package let name: String
    let titles: LocalText
    /// The catalog's own data for the app to show: `{"icon":"person","color":"green"}`.
    package let data: JSONObject

    /// - Parameter locale: the reader's language tag; nil for the catalog's own language.
    package func title(in locale: String? = nil) -> String { titles.text(in: locale) }
}
