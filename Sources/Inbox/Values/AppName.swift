/// An app that a server serves: a namespace. The people, topics, feeds and publishers' keys of one app are not another's,
/// even where they have the same names.
package struct AppName: Sendable, Hashable {
    package static let maximumBytes = 64
    package static let expectation =
        "an app's name of 1 to \(maximumBytes) letters and digits, and '.', '_' and '-' between them"

    /// The app of catalogs and tokens that name none. Stores from before there were apps hold its people.
    package static let unnamed = AppName(known: "")

    /// Stands around the app's name in a key.
    private static let separator: Unicode.Scalar = "\u{1F}"

    /// Empty for the unnamed app.
    package let text: String

    package var isUnnamed: Bool { text.isEmpty }

    package init?(_ text: String) {
        let isOuter: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard (1...Self.maximumBytes).contains(text.utf8.count),
            text.allSatisfy({ isOuter($0) || "._-".contains($0) }), text.first.map(isOuter) == true,
            text.last.map(isOuter) == true
        else { return nil }
        self.text = text
    }

    private init(known text: String) { self.text = text }

    // MARK: Keys

    /// One text for the app and a name in it. The store, its memory and other nodes know a person, a topic, a feed or a
    /// publisher by it. In the unnamed app it is the name itself, unless that looks like a key of a named one.
    package func key(_ name: String) -> String {
        isUnnamed && !Self.isKey(name)
            ? name : "\(Self.separator)\(text)\(Self.separator)\(name)"
    }

    /// The app of a key.
    package init(ofKey key: String) { text = String(Self.text(ofKey: key)) }

    /// The text of a key's app, in the key's own memory.
    package static func text(ofKey key: String) -> Substring {
        guard let end = end(in: key) else { return "" }
        return Substring(key.unicodeScalars[..<end].dropFirst())
    }

    /// The name of a key, without its app.
    package static func name(ofKey key: String) -> String {
        guard let end = end(in: key) else { return key }
        return String(key.unicodeScalars[end...].dropFirst())
    }

    /// Whether a text has an app before its name.
    private static func isKey(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: separator) }

    /// The place of the separator behind the app's name; nil for a key of the unnamed app.
    private static func end(in key: String) -> String.Index? {
        guard isKey(key) else { return nil }
        return key.unicodeScalars.dropFirst().firstIndex(of: separator)
    }
}
