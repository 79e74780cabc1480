import Inbox
import Push

/// One setting: its place in the file, its reader and its target.
struct SettingField: Sendable {
    /// The keys that lead to it, joined with dots.
    let path: String
    /// The variable's name elsewhere, such as `APNS_KEY_ID`.
    let alias: String?
    /// Of one value: an element, for a list.
    let elementExpectation: String
    /// Of one element, for a list.
    let form: SettingForm
    let isList: Bool
    /// The value as written: several texts for a list, none for an open setting.
    let texts: @Sendable (Settings) -> [String]
    /// Whether a text would do: as the value, or as an element of a list.
    let takes: @Sendable (String) -> Bool
    /// False if the texts are not as expected.
    let write: @Sendable (inout Settings, [String]) -> Bool

    var expectation: String { isList ? "a list: \(elementExpectation)" : elementExpectation }

    /// The word that was probably meant, of a few that are possible.
    func hint(for text: String) -> String {
        guard case .choice(let words) = form, let nearest = Spelling.nearest(to: text, among: words) else { return "" }
        return "; did you mean \"\(nearest)\"?"
    }

    /// The path in capitals with `_` between its words: `limits.queuedBytes` is `BELFRY_LIMITS_QUEUED_BYTES`.
    var variable: String { Self.variable(ofPath: path) }

    static func variable(ofPath path: String) -> String {
        var name = "BELFRY"
        for key in path.split(separator: ".") { name += "_" + Self.capitals(key) }
        return name
    }

    private static func capitals(_ key: Substring) -> String {
        var word = ""
        for (letter, next) in zip(key, Array(key.dropFirst()) + [nil]) {
            // Apps' and publishers' names may have marks, which no variable's name can have.
            word += letter.isLetter || letter.isNumber ? letter.uppercased() : "_"
            if let next, next.isUppercase, letter.isLowercase || letter.isNumber { word += "_" }
        }
        return word
    }
}

extension SettingField {
    typealias Place<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// A setting that always has a value.
    static func one<Value: SettingValue>(
        _ path: String, _ place: Place<Value>, expecting expectation: String = Value.expectation,
        form: SettingForm = Value.form, alias: String? = nil,
        where isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> SettingField {
        SettingField(path: path, alias: alias, elementExpectation: expectation, form: form, isList: false) { settings in
            [settings[keyPath: place].settingText]
        } takes: { text in
            Value(setting: text).map(isAllowed) ?? false
        } write: { settings, texts in
            guard texts.count == 1, let value = Value(setting: texts[0]), isAllowed(value) else { return false }
            settings[keyPath: place] = value
            return true
        }
    }

    /// A setting that may stay open.
    static func optional<Value: SettingValue>(
        _ path: String, _ place: Place<Value?>, expecting expectation: String = Value.expectation,
        alias: String? = nil, where isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) -> SettingField {
        SettingField(path: path, alias: alias, elementExpectation: expectation, form: Value.form, isList: false) {
            settings in
            settings[keyPath: place].map { [$0.settingText] } ?? []
        } takes: { text in
            Value(setting: text).map(isAllowed) ?? false
        } write: { settings, texts in
            guard texts.count == 1, let value = Value(setting: texts[0]), isAllowed(value) else { return false }
            settings[keyPath: place] = value
            return true
        }
    }

    /// The base URL of a push service, or of its replacement.
    static func endpoint(_ path: String, _ place: Place<String?>, alias: String) -> SettingField {
        optional(path, place, expecting: BaseURL.expectation, alias: alias, where: BaseURL.isUsable)
    }

    static func list<Value: SettingValue>(
        _ path: String, _ place: Place<[Value]>, expecting expectation: String = Value.expectation
    ) -> SettingField {
        SettingField(path: path, alias: nil, elementExpectation: expectation, form: Value.form, isList: true) {
            settings in
            settings[keyPath: place].map(\.settingText)
        } takes: { text in
            Value(setting: text) != nil
        } write: { settings, texts in
            let values = texts.compactMap { Value(setting: $0) }
            guard values.count == texts.count else { return false }
            settings[keyPath: place] = values
            return true
        }
    }

    static func count(_ path: String, _ place: Place<Int>, atLeast least: Int = 1) -> SettingField {
        one(path, place, expecting: "a whole number, \(least) or more", form: .number(atLeast: least)) { $0 >= least }
    }

    /// A duration that must not be zero: a timer that fires at once is never meant.
    static func span(_ path: String, _ place: Place<Duration>) -> SettingField {
        one(path, place, expecting: Duration.expectation) { $0 > .zero }
    }
}
