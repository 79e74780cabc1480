/// A text without placeholders, in each language of its catalog.
struct LocalText: Sendable, Hashable {
    let own: String
    let languages: Languages
    /// By the translation's tag, in small letters; the catalog's own text stands in for a missing one.
    var translations: [String: String] = [:]

    func text(in locale: String?) -> String {
        languages.translation(for: locale).flatMap { translations[$0] } ?? own
    }
}
