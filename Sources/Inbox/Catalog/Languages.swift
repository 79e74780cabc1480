/// The languages of one catalog, and which of them a reader gets.
struct Languages: Sendable, Hashable {
    /// The language in which the catalog is written; a tag in small letters.
    private let own: String
    /// The tags of its translations, in small letters.
    private let translations: Set<String>

    init(own: String, translations: some Sequence<String>) {
        self.own = Self.key(own)
        self.translations = Set(translations.map(Self.key))
    }

    /// The key of a translation, however its tag is spelled.
    static func key(_ tag: String) -> String { (LocaleTag.canonical(tag) ?? tag).lowercased() }

    /// The translation for a reader of this language, in small letters: for `pt-BR` that one, else `pt`. Nil means the
    /// catalog's own words.
    func translation(for locale: String?) -> String? {
        guard !translations.isEmpty, let locale else { return nil }
        if translations.contains(locale) { return locale }
        return find(locale) ?? nil
    }

    /// The translation for a reader. The inner nil means the catalog's own words, the outer one that neither is in
    /// their language.
    private func find(_ locale: String) -> String?? {
        for tag in LocaleTag.candidates(for: locale) {
            if tag == own { return .some(nil) }
            if translations.contains(tag) { return .some(tag) }
        }
        return .none
    }

    /// The best of these languages for a reader (RFC 9110 §12.5.4): the first wanted one that has texts. If there is
    /// none, the catalog's own language, unless that is refused.
    ///
    /// - Parameters:
    ///   - wanted: tags, the best first; `*` for all that are not named.
    ///   - refused: tags of languages that the reader does not want.
    func choice(of wanted: [String], refusing refused: [String]) -> String {
        let (named, refused) = (wanted.filter { $0 != "*" }, refused)
        func isRefused(_ tag: String) -> Bool {
            let chain = LocaleTag.chain(tag)
            // Of two ranges that match, the longer one counts: "de;q=0, de-CH" asks for Swiss German alone.
            guard let place = chain.firstIndex(where: { tag in refused.contains { Self.key($0) == tag } }) else {
                return refused.contains("*") && !chain.contains { tag in named.contains { Self.key($0) == tag } }
            }
            return !chain[..<place].contains { tag in named.contains { Self.key($0) == tag } }
        }
        for tag in wanted {
            if tag == "*" {
                let others = all.filter { tag in !isRefused(tag) && !named.contains { Self.key($0) == tag } }
                if let any = others.first { return any }
            } else if let found = find(tag), !isRefused(found ?? own) {
                return found ?? own
            }
        }
        return all.first { !isRefused($0) } ?? own
    }

    /// All of them, the catalog's own first.
    private var all: [String] { [own] + translations.sorted() }

    /// The translations beneath this one, and itself last: an earlier layer stands in for texts that a later one lacks.
    func layers(of translation: String) -> [String] {
        LocaleTag.chain(translation).prefix { $0 != own }.filter(translations.contains).reversed()
    }
}
