import Foundation
import Inbox
import Push

/// What a text must be like, and what is kept of it.
struct TextRule<Value: Sendable>: Sendable {
    /// For a message: "expected …".
    let expectation: String
    /// Nil for a text that is not like that.
    let read: @Sendable (String) -> Value?
}

extension TextRule where Value: RawRepresentable<String> & CaseIterable {
    /// One of a few words.
    static var choice: TextRule {
        TextRule(expectation: Spelling.list(Value.allCases.map(\.rawValue))) { Value(rawValue: $0) }
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

    /// A token is as long as Apple likes: "Don't hard-code their size" (Registering your app with APNs).
    static let apnsToken = TextRule(expectation: "the token's bytes in hex, at most 100") { text in
        let isHex = text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return (2...200).contains(text.utf8.count) && text.utf8.count % 2 == 0 && isHex ? text.lowercased() : nil
    }

    static let fcmToken = TextRule(expectation: "a registration token of at most 4096 characters") { text in
        (1...4_096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }

    /// Which was called player id before OneSignal's fifth SDK. A UUID as far as is known; what else OneSignal takes is
    /// for OneSignal to judge. But nobody may name another user's devices so.
    static let oneSignalToken = TextRule(
        expectation: "the id of a push subscription: 1 to 128 bytes without blanks, which does not begin with "
            + Device.oneSignalUserPrefix
    ) { text in
        guard (1...128).contains(text.utf8.count), !text.hasPrefix(Device.oneSignalUserPrefix),
            !text.hasControlCharacter, !text.contains(where: \.isWhitespace)
        else { return nil }
        return UUID(uuidString: text) == nil ? text : text.lowercased()
    }

    /// In any of the spellings that ``LocaleTag`` reads; iOS and Java write underscores.
    static let locale = TextRule(expectation: "a language tag (BCP 47) such as pt-BR", read: LocaleTag.canonical)

    static let zone = TextRule(
        expectation: "a name of the time zone database such as Europe/Berlin", read: ZoneNames.name)
}
