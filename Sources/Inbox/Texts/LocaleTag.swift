import _FoundationICU

/// Language tags (BCP 47): `en`, `pt-BR`, `zh-Hant`.
package enum LocaleTag {
    /// The languages of which ICU knows something.
    private static let languages: Set<String> = {
        var languages: Set<String> = []
        for index in 0..<swift_uloc_countAvailable() {
            guard let name = swift_uloc_getAvailable(index) else { continue }
            languages.insert(String(String(cString: name).prefix { $0 != "_" }))
        }
        return languages
    }()

    /// Whether the tag is well formed and its language one that ICU knows.
    package static func isKnown(_ tag: String) -> Bool {
        guard isWellFormed(tag), let language = chain(tag).last else { return false }
        return languages.contains(language)
    }

    /// The tag and what it falls back to, in small letters, the most particular first: `pt-br`, `pt`.
    static func chain(_ tag: String) -> [String] {
        var rest = String(decoding: tag.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
            .lowercased()[...]
        var chain = [String(rest)]
        while let hyphen = rest.lastIndex(of: "-") {
            rest = rest[..<hyphen]
            chain.append(String(rest))
        }
        return chain
    }

    /// The tag's language alone: `pt` of `pt-BR`.
    static func language(of tag: String) -> String { chain(tag).last ?? tag }

    /// ICU's own name of the locale: `pt_BR`.
    static func icuName(of tag: String) -> String {
        var name = [CChar](repeating: 0, count: Int(ULOC_FULLNAME_CAPACITY))
        var status = U_ZERO_ERROR
        let length = swift_uloc_forLanguageTag(tag, &name, Int32(name.count), nil, &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue, (0..<name.count).contains(Int(length)) else { return "" }
        return String(decoding: name[..<Int(length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func isWellFormed(_ tag: String) -> Bool {
        var parsed: Int32 = 0
        var name = [CChar](repeating: 0, count: Int(ULOC_FULLNAME_CAPACITY))
        var status = U_ZERO_ERROR
        _ = swift_uloc_forLanguageTag(tag, &name, Int32(name.count), &parsed, &status)
        return status.rawValue <= U_ZERO_ERROR.rawValue && !tag.isEmpty && Int(parsed) == tag.utf8.count
    }
}
