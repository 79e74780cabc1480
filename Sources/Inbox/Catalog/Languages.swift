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

    /// Under what a translation is kept, however its tag is spelled.
    static func key(_ tag: String) -> String { (LocaleTag.canonical(tag) ?? tag).lowercased() }

    /// The translation for a reader of this language, in small letters: of `pt-BR` that, else `pt`; nil for the
    /// catalog's own words.
    func translation(for locale: String?) -> String? {
        guard !translations.isEmpty, let locale else { return nil }
        if translations.contains(locale) { return locale }
        return find(locale) ?? nil
    }

    /// The translation for a reader, or nil for the catalog's own words; nothing if neither is in their language.
    private func find(_ locale: String) -> String?? {
        for tag in LocaleTag.candidates(for: locale) {
            if tag == own { return .some(nil) }
            if translations.contains(tag) { return .some(tag) }
        }
        return .none
    }

    /// The language of these that somebody gets by what they want (RFC 9110 §12.5.4): the first that there are texts
    /// in; if there is none, the catalog's own, unless that is refused.
    ///
    /// - Parameters:
    ///   - wanted: tags, the best first; `*` for any that is not named.
    ///   - refused: tags of languages that they do not want.
    func choice(of wanted: [String], refusing refused: [String]) -> String {
        let (named, refused) = (wanted.filter { $0 != "*" }, refused)
        func isRefused(_ tag: String) -> Bool {
            let chain = LocaleTag.chain(tag)
            // Of two ranges that match the longer one counts: "de;q=0, de-CH" asks for Swiss German alone.
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

    /// The translations that lie beneath this one, and itself last: what one lacks, the one before it says.
    func layers(of translation: String) -> [String] {
        LocaleTag.chain(translation).prefix { $0 != own }.filter(translations.contains).reversed()
    }
}
