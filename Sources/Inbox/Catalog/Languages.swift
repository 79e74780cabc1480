/// The languages of one catalog, and which of them a reader gets.
struct Languages: Sendable, Hashable {
    /// The language in which the catalog is written; a tag in small letters.
    private let own: String
    /// The tags of its translations, in small letters.
    private let translations: Set<String>

    init(own: String, translations: some Sequence<String>) {
        self.own = own.lowercased()
        self.translations = Set(translations.map { $0.lowercased() })
    }

    /// The translation for a reader of this language, in small letters: of `pt-BR` that, else `pt`; nil for the
    /// catalog's own words.
    func translation(for locale: String?) -> String? {
        guard !translations.isEmpty, let locale else { return nil }
        if translations.contains(locale) { return locale }
        for tag in LocaleTag.chain(locale) {
            if tag == own { return nil }
            if translations.contains(tag) { return tag }
        }
        return nil
    }

    /// The translations that lie beneath this one, and itself last: what one lacks, the one before it says.
    func layers(of translation: String) -> [String] {
        LocaleTag.chain(translation).prefix { $0 != own }.filter(translations.contains).reversed()
    }
}
