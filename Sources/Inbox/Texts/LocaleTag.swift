import Synchronization
import _FoundationICU

/// Names of languages, in all usual spellings: tags (BCP 47) such as `en`, `pt-BR` and `zh-Hant`, Java's `zh_TW_#Hant`,
/// and locales of POSIX and ICU: `de_DE.UTF-8`, `sr_RS@latin`, `en_US@calendar=buddhist`.
package enum LocaleTag {
    /// The languages that have a code (ISO 639).
    private static let languages: Set<String> = {
        var languages: Set<String> = []
        var codes = swift_uloc_getISOLanguages()
        while let code = codes?.pointee {
            languages.insert(String(cString: code))
            codes = codes?.advanced(by: 1)
        }
        // ICU has texts of some languages under a code that differs from the table's.
        for index in 0..<swift_uloc_countAvailable() {
            guard let name = swift_uloc_getAvailable(index) else { continue }
            languages.insert(String(String(cString: name).prefix { $0 != "_" }))
        }
        // These codes name no language: undetermined, several, none, and one without a code (ISO 639-2).
        return languages.subtracting(["und", "mul", "zxx", "mis", "root"])
    }()

    /// Codes that stand for another code (Unicode CLDR, supplementalMetadata, `languageAlias`). Norwegian is written as
    /// Bokmål unless its tag says Nynorsk.
    private static let aliases = [
        "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "tl": "fil", "no": "nb", "sh": "sr-Latn",
        "cmn": "zh",
    ]
    /// POSIX's names of scripts.
    private static let scriptModifiers = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "arabic": "Arab"]
    /// The longest tag in use, with extensions.
    private static let maximumBytes = 157

    /// Whether the text names a language.
    package static func isKnown(_ text: String) -> Bool { canonical(text) != nil }

    /// The canonical tag of a text: its language, script and region, by CLDR's aliases; nil for a text that names no
    /// language. The script is added if the region uses another one than most readers of the language: `zh_TW` becomes
    /// `zh-Hant-TW`.
    package static func canonical(_ text: String) -> String? { parts(text)?.tag }

    /// The tag and its fallbacks, in small letters, the most specific first: `pt-br`, `pt`.
    static func chain(_ tag: String) -> [String] {
        let tag = (canonical(tag) ?? tag).lowercased()
        var chain = [tag]
        var rest = tag[...]
        while let hyphen = rest.lastIndex(of: "-") {
            rest = rest[..<hyphen]
            chain.append(String(rest))
        }
        return chain
    }

    /// The languages for a reader of this tag, the best first, in small letters: those of ``chain(_:)``, each
    /// followed by its form for the region of most readers: `zh-hant-hk`, `zh-hant`, `zh-hant-tw`, `zh`, `zh-cn`.
    static func candidates(for tag: String) -> [String] {
        known.withLock { known in
            if let candidates = known[tag] { return candidates }
            // Requests may carry any tag, but few are in use.
            if known.count >= maximumKnown { known = [:] }
            let candidates = reckonCandidates(for: tag)
            known[tag] = candidates
            return candidates
        }
    }

    private static let maximumKnown = 1_000
    private static let known = Mutex<[String: [String]]>([:])

    private static func reckonCandidates(for tag: String) -> [String] {
        guard let parts = parts(tag) else { return chain(tag) }
        var candidates: [String] = []
        var languages = [parts]
        // CLDR's parent of Nynorsk.
        if parts.language == "nn" { languages.append(Parts(language: "nb")) }
        for language in languages {
            for tag in chain(language.tag) {
                candidates.append(tag)
                guard let rest = self.parts(tag), rest.region == nil, let likely = rest.likely else { continue }
                candidates.append(
                    Parts(language: rest.language, script: rest.script, region: likely.region).tag.lowercased())
            }
        }
        return candidates
    }

    /// The tag's language alone: `pt` of `pt-BR`.
    static func language(of tag: String) -> String { chain(tag).last ?? tag }

    /// ICU's own name of the locale: `pt_BR`.
    static func icuName(of tag: String) -> String {
        var name = [CChar](repeating: 0, count: Int(ULOC_FULLNAME_CAPACITY))
        var status = U_ZERO_ERROR
        let length = swift_uloc_forLanguageTag(canonical(tag) ?? tag, &name, Int32(name.count), nil, &status)
        guard status.rawValue <= U_ZERO_ERROR.rawValue, (0..<name.count).contains(Int(length)) else { return "" }
        return String(decoding: name[..<Int(length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Reading

    private struct Parts {
        var language: String
        var script: String?
        var region: String?

        var tag: String { [language, script, region].compactMap(\.self).joined(separator: "-") }

        /// With the script and region of most readers (CLDR, likely subtags).
        var likely: Parts? {
            var name = [CChar](repeating: 0, count: Int(ULOC_FULLNAME_CAPACITY))
            var status = U_ZERO_ERROR
            let tag = tag.replacing("-", with: "_")
            let length = swift_uloc_addLikelySubtags(tag, &name, Int32(name.count), &status)
            guard status.rawValue <= U_ZERO_ERROR.rawValue, (0..<name.count).contains(Int(length)) else { return nil }
            let likely = String(decoding: name[..<Int(length)].map(UInt8.init(bitPattern:)), as: UTF8.self).split(
                separator: "_"
            ).map(String.init)
            guard likely.count == 3 else { return nil }
            return Parts(language: likely[0], script: likely[1], region: likely[2])
        }
    }

    private static func parts(_ text: String) -> Parts? {
        guard (2...maximumBytes).contains(text.utf8.count) else { return nil }
        let sides = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let names = sides[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        // Java writes a script behind the region, with `#` before it.
        var subtags = names[0].split { $0 == "-" || $0 == "_" }.map { $0.drop { $0 == "#" } }[...]
        guard subtags.allSatisfy(isSubtag), var parts = language(&subtags) else { return nil }
        for subtag in subtags {
            // Extensions follow a single letter (RFC 5646 §2.2.6), and name no language.
            if subtag.utf8.count == 1 { break }
            if subtag.utf8.count == 4, subtag.allSatisfy(\.isLetter) {
                parts.script = parts.script ?? subtag.capitalized
            } else if isRegion(subtag) {
                parts.region = parts.region ?? subtag.uppercased()
            }
        }
        if parts.script == nil, sides.count == 2 { parts.script = scriptModifiers[sides[1].lowercased()] }
        return withScriptWhereItTells(parts)
    }

    private static func language(_ subtags: inout ArraySlice<Substring>) -> Parts? {
        guard var code = subtags.popFirst()?.lowercased(), code.allSatisfy(\.isLetter) else { return nil }
        // RFC 5646 §2.2.2: `zh-yue` is `yue`.
        if let next = subtags.first, next.utf8.count == 3, next.allSatisfy(\.isLetter) {
            code = next.lowercased()
            subtags.removeFirst()
        }
        let names = (aliases[code] ?? code).split(separator: "-").map(String.init)
        guard let language = names.first, languages.contains(language) else { return nil }
        return Parts(language: language, script: names.dropFirst().first)
    }

    /// The parts with one spelling for each meaning: without the language's usual script, and with the region's script
    /// if that is another one.
    private static func withScriptWhereItTells(_ parts: Parts) -> Parts {
        var parts = parts
        guard let usual = Parts(language: parts.language).likely?.script else { return parts }
        let script = parts.script ?? parts.likely?.script
        parts.script = script == usual ? nil : script
        return parts
    }

    private static func isSubtag(_ subtag: Substring) -> Bool {
        (1...8).contains(subtag.utf8.count) && subtag.utf8.allSatisfy { Character(Unicode.Scalar($0)).isASCIIWord }
    }

    /// Whether the subtag is two letters or three digits (RFC 5646 §2.2.4).
    private static func isRegion(_ subtag: Substring) -> Bool {
        subtag.utf8.count == 2 && subtag.allSatisfy(\.isLetter)
            || subtag.utf8.count == 3 && subtag.allSatisfy(\.isNumber)
    }
}

extension Character {
    fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber) }
}

extension Substring {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
