import Inbox
import Push

/// A rule for a text, and the value that is made of it.
struct TextRule<Value: Sendable>: Sendable {
    /// For a message: "expected …".
    let expectation: String
    /// Nil for a text that breaks the rule.
    let read: @Sendable (String) -> Value?
}

extension TextRule where Value: RawRepresentable<String> & CaseIterable {
    /// One of a few words.
    static var choice: TextRule {
        TextRule(expectation: Spelling.list(Value.allCases.map(\.rawValue))) { Value(rawValue: $0) }
    }
}

extension TextRule<Device.Provider> {
    /// One of the providers' names.
    static func provider(of providers: ProviderList) -> TextRule {
        TextRule(expectation: Spelling.list(providers.map(\.name))) { providers[name: $0] }
    }
}

extension TextRule<String> {
    static let deviceID = TextRule(expectation: "an id of 1 to 200 bytes, \(String.nameExpectation)") {
        text in
        (1...200).contains(text.utf8.count) && text.isName ? text : nil
    }

    /// Empty for all apps.
    static let app = TextRule(expectation: "an app's name of at most 100 bytes") { text in
        text.utf8.count <= 100 && (text.isEmpty || text.isName) ? text : nil
    }

    static let platform = TextRule(expectation: "ios, android, web or the like") { text in
        (1...40).contains(text.utf8.count) && text.isName ? text.lowercased() : nil
    }

    /// In any spelling that ``LocaleTag`` reads; iOS and Java write underscores.
    static let locale = TextRule(expectation: "a language tag (BCP 47) such as pt-BR", read: LocaleTag.canonical)

    static let zone = TextRule(
        expectation: "a name of the time zone database such as Europe/Berlin", read: ZoneNames.name)
}
