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
    static let deviceID = TextRule(expectation: "an id of 1 to 200 bytes without control characters") { text in
        (1...200).contains(text.utf8.count) && !text.hasControlCharacter ? text : nil
    }

    /// Empty for all apps.
    static let app = TextRule(expectation: "an app's name of at most 100 bytes") { text in
        text.utf8.count <= 100 && !text.hasControlCharacter ? text : nil
    }

    static let platform = TextRule(expectation: "ios, android, web or the like") { text in
        (1...40).contains(text.utf8.count) && !text.hasControlCharacter ? text.lowercased() : nil
    }

    /// A token is as long as Apple likes: "Don't hard-code their size" (Registering your app with APNs).
    static let apnsToken = TextRule(expectation: "the token's bytes in hex, at most 100") { text in
        let isHex = text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return (2...200).contains(text.utf8.count) && text.utf8.count % 2 == 0 && isHex ? text.lowercased() : nil
    }

    static let fcmToken = TextRule(expectation: "a registration token of at most 4096 characters") { text in
        (1...4_096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }

    /// Which was called player id before OneSignal's fifth SDK. A UUID as far as is known; what else OneSignal takes is for
    /// OneSignal to judge. But nobody may name another user's devices so.
    static let oneSignalToken = TextRule(
        expectation: "the id of a push subscription: 1 to 128 bytes without blanks, which does not begin with "
            + Device.oneSignalUserPrefix
    ) { text in
        guard (1...128).contains(text.utf8.count), !text.hasPrefix(Device.oneSignalUserPrefix),
            !text.hasControlCharacter, !text.contains(where: \.isWhitespace)
        else { return nil }
        return UUID(uuidString: text) == nil ? text : text.lowercased()
    }

    /// A language tag by its shape (RFC 5646 §2.1); iOS and Java write it with underscores.
    static let locale = TextRule(expectation: "a language tag such as pt-BR") { text in
        let tag = text.replacing("_", with: "-")
        guard tag.utf8.count <= 35, tag.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil else { return nil }
        return tag
    }

    /// A name of the IANA's, which knows of summer time; an abbreviation does not, and may mean several.
    static let zone = TextRule(expectation: "an IANA time zone such as Europe/Berlin") { text in
        guard text.utf8.count <= 64, text.contains("/") || text == "UTC" || text == "GMT" else { return nil }
        return TimeZone(identifier: text) == nil ? nil : text
    }
}
