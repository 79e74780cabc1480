import Synchronization
import _FoundationICU

/// A language's rules that choose the form of a text for a number (Unicode CLDR, cardinal plural rules).
package struct PluralRules: Sendable, Hashable {
    /// Smaller numbers are looked up in a table: inboxes rarely count further.
    private static let tableSize = 1_000
    private static let known = Mutex<[String: PluralRules]>([:])

    private let locale: String
    /// The forms that the language tells apart, in CLDR's order; always with `other`.
    package let categories: [PluralCategory]
    private let table: [PluralCategory]

    /// The rules of a language tag such as `pt-BR`. A language that ICU does not know has `other` alone.
    ///
    /// Rules are read once a process; a call costs a lock and a look-up.
    package static func of(_ locale: String) -> PluralRules {
        known.withLock { known in
            if let rules = known[locale] { return rules }
            let rules = PluralRules(reading: locale)
            known[locale] = rules
            return rules
        }
    }

    private init(reading locale: String) {
        self.locale = locale
        let numbers = (0..<Self.tableSize).map(Double.init)
        let (categories, table) = Self.withRules(of: locale) { rules in
            (Self.keywords(of: rules), numbers.map { Self.select($0, by: rules) })
        }
        self.categories = PluralCategory.allCases.filter { $0 == .other || categories.contains($0) }
        self.table = table
    }

    package func category(of count: Int64) -> PluralCategory {
        // A negative number takes the form of its magnitude.
        let size = count.magnitude
        if size < Self.tableSize { return table[Int(size)] }
        return Self.withRules(of: locale) { Self.select(Double(size), by: $0) }
    }

    // MARK: ICU

    /// Opened for each call, because ICU's handles belong to one thread at a time. Nil if ICU has no rules.
    private static func withRules<Result>(of locale: String, _ body: (OpaquePointer?) -> Result) -> Result {
        var status = U_ZERO_ERROR
        let rules = swift_uplrules_openForType(LocaleTag.icuName(of: locale), UPLURAL_TYPE_CARDINAL, &status)
        defer { swift_uplrules_close(rules) }
        return body(status.rawValue <= U_ZERO_ERROR.rawValue ? rules : nil)
    }

    private static func keywords(of rules: OpaquePointer?) -> [PluralCategory] {
        guard let rules else { return [] }
        var status = U_ZERO_ERROR
        let keywords = swift_uplrules_getKeywords(rules, &status)
        defer { swift_uenum_close(keywords) }
        var found: [PluralCategory] = []
        while let keyword = swift_uenum_next(keywords, nil, &status) {
            if let category = PluralCategory(rawValue: String(cString: keyword)) { found.append(category) }
        }
        return found
    }

    private static func select(_ number: Double, by rules: OpaquePointer?) -> PluralCategory {
        guard let rules else { return .other }
        let keyword = ICUText.read { swift_uplrules_select(rules, number, $0, $1, &$2) }
        return keyword.flatMap(PluralCategory.init(rawValue:)) ?? .other
    }
}
